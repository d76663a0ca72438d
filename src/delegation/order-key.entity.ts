import { defineEntity, p } from '@mikro-orm/core';

/**
 * What an order is found by for ever, also when its rows are in the archive: hashes of user and idempotency key (order-key.sql.ts) from
 * its first statement on, and the ids of its transactions from the archive on. Append-only: no key is free again.
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
