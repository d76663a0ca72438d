import { defineEntity, p } from '@mikro-orm/core';

/** An order of a closed day that is not settled yet: not in its day's sums, but counted by itself until it is. */
const LateOrderSchema = defineEntity({
  name: 'LateOrder',
  tableName: 'late_orders',
  properties: {
    /** Id of the order. */
    id: p.uuid().primary(),
    day: p.date(),
  },
});

export class LateOrder extends LateOrderSchema.class {}
LateOrderSchema.setClass(LateOrder);
