import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';
import type { WebhookEvent } from './webhook-events';

export const WEBHOOK_STATES = ['active', 'disabled', 'removed'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
/** `asked`: by its user or an operator. `gone`: it answered 410. `failing`: five days without a success. */
export const DISABLED_REASONS = ['asked', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export interface PreviousSecret {
  /** Kept like the secret itself. */
  readonly secret: string;
  /** It signs until then; ISO 8601. */
  readonly until: string;
}

/** An address of a user's that is told of events. A removed one keeps its row until its deliveries are deleted. */
const WebhookSchema = defineEntity({
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
    /** Those before the rotations of the last day, which sign too. */
    previousSecrets: p.json<PreviousSecret[]>().nullable(),
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

export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
