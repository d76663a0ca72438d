import { defineEntity, p } from '@mikro-orm/core';

/** What an event says, once for all webhooks that are told of it. Kept as long as a delivery of it is. */
const WebhookEventBodySchema = defineEntity({
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

export class WebhookEventBody extends WebhookEventBodySchema.class {}
WebhookEventBodySchema.setClass(WebhookEventBody);
