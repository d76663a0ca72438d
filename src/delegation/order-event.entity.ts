import { defineEntity, p } from '@mikro-orm/core';

/** An order's history: what was sent when to which node and what it answered. Append-only. */
const OrderEventSchema = defineEntity({
  name: 'OrderEvent',
  tableName: 'delegation_events',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    delegationId: p.uuid(),
    at: p.datetime(6).defaultRaw('clock_timestamp()'),
    kind: p.text(),
    detail: p.json<Record<string, unknown>>(),
  },
  indexes: [
    { name: 'delegation_events_order', properties: ['delegationId'] },
    {
      name: 'delegation_events_request',
      expression: `create index delegation_events_request on delegation_events ((detail ->> 'request_id')) where kind = 'ordered'`,
    },
  ],
});

export class OrderEvent extends OrderEventSchema.class {}
OrderEventSchema.setClass(OrderEvent);
