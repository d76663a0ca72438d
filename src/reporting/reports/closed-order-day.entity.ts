import { defineEntity, p } from '@mikro-orm/core';

/** A UTC day whose orders are in `order_days`, but for late ones, and with it every day before. */
const ClosedOrderDaySchema = defineEntity({
  name: 'ClosedOrderDay',
  tableName: 'closed_order_days',
  properties: {
    day: p.date().primary(),
    closedAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class ClosedOrderDay extends ClosedOrderDaySchema.class {}
ClosedOrderDaySchema.setClass(ClosedOrderDay);
