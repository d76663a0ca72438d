import { defineEntity, p } from '@mikro-orm/core';

/** A row for each (`SWITCHES`): whether new orders are taken, and whether what is due is taken back. Settlements and look-ups go on either way. */
const SwitchRowSchema = defineEntity({
  name: 'SwitchRow',
  tableName: 'order_switch',
  properties: {
    id: p.integer().primary().autoincrement(false),
    pausedAt: p.datetime(6).nullable(),
    reason: p.text().nullable(),
  },
  checks: [{ name: 'order_switch_known', expression: 'id in (1, 2)' }],
});

export class SwitchRow extends SwitchRowSchema.class {}
SwitchRowSchema.setClass(SwitchRow);
