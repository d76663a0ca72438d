import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';
import { PAYERS } from '../../delegation/order.entity';

/** What became of the orders of one UTC day, by customer and payer. Written when the day is closed; late orders are added. */
const OrderDaySchema = defineEntity({
  name: 'OrderDay',
  tableName: 'order_days',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    day: p.date(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    paidBy: p.enum(PAYERS),
    orders: p.bigint('bigint'),
    /** Answered so. */
    succeeded: p.bigint('bigint'),
    failed: p.bigint('bigint'),
    chargedSun: p.bigint('bigint'),
    /** Lent to receivers. */
    energy: p.bigint('bigint'),
    /** Delegations that are on the chain: each has a reclaim. */
    landed: p.bigint('bigint'),
    activations: p.bigint('bigint'),
    /** What those transferred, without the network's fees. */
    activatedSun: p.bigint('bigint'),
  },
  indexes: [{ name: 'order_days_user', properties: ['user', 'day'] }],
  uniques: [{ name: 'order_days_day_user_payer', properties: ['day', 'user', 'paidBy'] }],
});

export class OrderDay extends OrderDaySchema.class {}
OrderDaySchema.setClass(OrderDay);
