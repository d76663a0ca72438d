import { defineEntity, p } from '@mikro-orm/core';

/** One row: whether new orders are taken. Reclaims, settlements and look-ups go on either way. */
const OrderSwitchSchema = defineEntity({
  name: 'OrderSwitch',
  tableName: 'order_switch',
  properties: {
    id: p.integer().primary().autoincrement(false),
    pausedAt: p.datetime(6).nullable(),
    reason: p.text().nullable(),
  },
  checks: [{ name: 'order_switch_single_row', expression: 'id = 1' }],
});

export class OrderSwitch extends OrderSwitchSchema.class {}
OrderSwitchSchema.setClass(OrderSwitch);
