import { defineEntity, p } from '@mikro-orm/core';
import { WEBHOOK_EVENTS } from './webhook-events';
import { WebhookEventBody } from './webhook-event-body.entity';
import { Webhook } from './webhook.entity';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
/** Why an attempt had no answer. Said to the customer, so it tells nothing of a network that is not theirs. */
export const NO_ANSWER_REASONS = ['timeout', 'unreachable', 'not_allowed'] as const;
export type NoAnswerReason = (typeof NO_ANSWER_REASONS)[number];

/** One event for one webhook, written in the transaction that makes the event true. Its id is the header `webhook-id`. */
const WebhookDeliverySchema = defineEntity({
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
    { name: 'webhook_deliveries_ended', properties: ['createdAt'], where: "state <> 'pending'" },
    { name: 'webhook_deliveries_event', properties: ['what'] },
  ],
  checks: [{ name: 'webhook_deliveries_next', expression: "(state = 'pending') = (next_at is not null)" }],
});

export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
