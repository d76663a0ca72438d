import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events';

export const WEBHOOK_STATES = ['active', 'disabled', 'removed'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
/** `asked`: by its user or an operator. `gone`: it answered 410. `failing`: five days without a success. */
export const DISABLED_REASONS = ['asked', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address of a user's that is told of events. A removed one keeps its row until its deliveries are deleted. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    url: p.text(),
    /** null: all, those that a later version brings included. */
    events: p.array<WebhookEvent>().nullable(),
    state: p.enum(WEBHOOK_STATES).default('active'),
    /** Null unless it is disabled. */
    disabledReason: p.enum(DISABLED_REASONS).nullable(),
    disabledAt: p.datetime(6).nullable(),
    /** As `common/secret-cipher.ts` keeps it: encrypted where a key is set. */
    secret: p.text(),
    /** Those before the rotations of the last day, kept likewise: each signs too, until then (ISO 8601). */
    previousSecrets: p.json<{ secret: string; until: string }[]>().nullable(),
    /** The first failed attempt since the last success. */
    failingSince: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { name: 'webhooks_user', properties: ['user', 'createdAt'] },
    {
      name: 'webhooks_failing',
      properties: ['failingSince'],
      where: "state = 'active' and failing_since is not null",
    },
    { name: 'webhooks_removed', properties: ['id'], where: "state = 'removed'" },
  ],
  checks: [
    { name: 'webhooks_reason_of_disabled', expression: "(state = 'disabled') = (disabled_reason is not null)" },
    { name: 'webhooks_lengths', expression: 'length(url) <= 2048 and length(secret) <= 1000' },
  ],
});

/** What an event says, once for all webhooks that are told of it. Kept as long as a delivery of it is. */
export const WebhookEventBody = defineEntity({
  name: 'WebhookEventBody',
  tableName: 'webhook_events',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    /** The bytes that are signed and sent, the same at every attempt. */
    body: p.text(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  indexes: [{ name: 'webhook_events_age', properties: ['createdAt'] }],
});

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
/** Why an attempt had no answer. Said to the customer, so it tells nothing of a network that is not theirs. */
export const NO_ANSWER_REASONS = ['timeout', 'unreachable', 'not_allowed'] as const;
export type NoAnswerReason = (typeof NO_ANSWER_REASONS)[number];

/** One event for one webhook, written in the transaction that makes the event true. Its id is the header `webhook-id`. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.uuid().primary(),
    webhook: () => p.manyToOne(Webhook).ref().deleteRule('restrict'),
    event: p.enum(WEBHOOK_EVENTS),
    what: () => p.manyToOne(WebhookEventBody).ref().fieldName('event_id').deleteRule('restrict'),
    state: p.enum(DELIVERY_STATES).default('pending'),
    /** Those whose outcome was recorded. */
    attempts: p.integer().default(0),
    /** Place in the schedule: a replay begins it again. */
    step: p.integer().default(0),
    /** From the last attempt: the status of its answer, or why there was none. */
    status: p.integer().nullable(),
    reason: p.enum(NO_ANSWER_REASONS).nullable(),
    tookMs: p.integer().nullable(),
    attemptedAt: p.datetime(6).nullable(),
    /** Time of the next attempt; null unless it is pending. */
    nextAt: p.datetime(6).nullable(),
    /** No order's own event, or sent again because its user asked: an account has so many attempts of these a minute. */
    limited: p.boolean().default(false),
    // As with orders: only the claim with the newest epoch may write.
    epoch: p.integer().default(0),
    claimedUntil: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'webhook_deliveries_due', properties: ['webhook', 'limited', 'nextAt'], where: "state = 'pending'" },
    { name: 'webhook_deliveries_page', properties: ['webhook', 'createdAt', 'id'] },
    { name: 'webhook_deliveries_failed', properties: ['webhook', 'createdAt', 'id'], where: "state = 'failed'" },
    { name: 'webhook_deliveries_ended', properties: ['createdAt'], where: "state <> 'pending'" },
    { name: 'webhook_deliveries_event', properties: ['what'] },
  ],
  checks: [{ name: 'webhook_deliveries_next', expression: "(state = 'pending') = (next_at is not null)" }],
});
