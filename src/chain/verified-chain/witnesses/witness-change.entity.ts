import { defineEntity, p } from '@mikro-orm/core';
import type { Witness } from '../../proof/judge';

/** What the chain has changed about the set: counted against the most that may change in a period, and sent to operators as a notice. */
const WitnessChangeSchema = defineEntity({
  name: 'WitnessChange',
  tableName: 'witness_changes',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** The block that proved it, and its time in milliseconds. */
    number: p.bigint('bigint'),
    timeMs: p.bigint('bigint'),
    joined: p.json<Witness>().nullable(),
    gone: p.json<Witness>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class WitnessChangeRow extends WitnessChangeSchema.class {}
WitnessChangeSchema.setClass(WitnessChangeRow);
