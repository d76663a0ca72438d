import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';
import { PAYERS } from '../../delegation/order.entity';

/** The sums of `order_days` by month; triggers keep them. */
const OrderMonthSchema = defineEntity({
  name: 'OrderMonth',
  tableName: 'order_months',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    /** Its first day. */
    month: p.date(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
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
  uniques: [{ name: 'order_months_month_user_payer', properties: ['month', 'user', 'paidBy'] }],
});

export class OrderMonth extends OrderMonthSchema.class {}
OrderMonthSchema.setClass(OrderMonth);
