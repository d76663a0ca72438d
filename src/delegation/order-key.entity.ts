import { defineEntity, p } from '@mikro-orm/core';

/**
 * What an order is found by for ever: the hash of its user and idempotency key (order-key.sql.ts), from its first statement on.
 * Append-only: no key is free again.
 */
const OrderKeySchema = defineEntity({
  name: 'OrderKey',
  tableName: 'order_keys',
  properties: {
    key: p.blob().primary(),
    delegationId: p.uuid(),
  },
  checks: [{ name: 'order_keys_hashes', expression: 'length(key) = 32' }],
});

export class OrderKey extends OrderKeySchema.class {}
OrderKeySchema.setClass(OrderKey);
