import { defineEntity, p } from '@mikro-orm/core';

/** One row: up to where the reconciler has looked at what changed, and when it last looked at everything. */
const ReconcileMarkSchema = defineEntity({
  name: 'ReconcileMark',
  tableName: 'reconcile_mark',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Every change of an order writes an event. */
    eventsUpTo: p.bigint('bigint'),
    entriesUpTo: p.bigint('bigint'),
    wholeAt: p.datetime(6),
    /** When a run last came to its end. */
    succeededAt: p.datetime(6).nullable(),
  },
  checks: [{ name: 'reconcile_mark_single_row', expression: 'id = 1' }],
});

export class ReconcileMark extends ReconcileMarkSchema.class {}
ReconcileMarkSchema.setClass(ReconcileMark);
