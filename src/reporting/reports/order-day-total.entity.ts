import { defineEntity, p } from '@mikro-orm/core';
import { PAYERS } from '../../delegation/order.entity';

/** The sums of `order_days` over all customers; triggers keep them. */
const OrderDayTotalSchema = defineEntity({
  name: 'OrderDayTotal',
  tableName: 'order_day_totals',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    day: p.date(),
    paidBy: p.enum(PAYERS),
    orders: p.bigint('bigint'),
    succeeded: p.bigint('bigint'),
    failed: p.bigint('bigint'),
    chargedSun: p.bigint('bigint'),
    energy: p.bigint('bigint'),
    landed: p.bigint('bigint'),
    activations: p.bigint('bigint'),
    activatedSun: p.bigint('bigint'),
  },
  uniques: [{ name: 'order_day_totals_day_payer', properties: ['day', 'paidBy'] }],
});

export class OrderDayTotal extends OrderDayTotalSchema.class {}
OrderDayTotalSchema.setClass(OrderDayTotal);
