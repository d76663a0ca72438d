/** What a webhook can be told of; each says what has become true. */
export const WEBHOOK_EVENTS = [
  'delegation.included',
  'delegation.delegated',
  'delegation.failed',
  'delegation.reclaimed',
  'deposit.seen',
  'deposit.credited',
  'deposit.waiting',
  'balance.low',
  'webhook.test',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export type DepositEventType = Extract<WebhookEvent, `deposit.${string}`>;
export type OrderEventType = Extract<WebhookEvent, `delegation.${string}`>;

/** True of a webhook `w` that is to be told of the event, which is an expression of SQL. Also in the trigger `note_low_balance`. */
export const wantsEvent = (event: string) => `w.state = 'active' and (w.events is null or ${event} = any(w.events))`;
