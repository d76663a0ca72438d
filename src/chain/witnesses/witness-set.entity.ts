import { defineEntity, p } from '@mikro-orm/core';
import type { Witness } from '../proof/judge';

/** Whose signatures make a block final, for all instances. */
const WitnessSetSchema = defineEntity({
  name: 'WitnessSet',
  tableName: 'witness_set',
  properties: {
    id: p.integer().primary().autoincrement(false),
    witnesses: p.json<Witness[]>(),
    /** Chain time in milliseconds, the next maintenance: from then on others may be active. */
    validUntilMs: p.bigint('bigint'),
    readAt: p.datetime(6).defaultRaw('now()'),
    /** Changes are counted against this set, so that many small ones are no way around the limit of a large one. */
    base: p.json<Witness[]>(),
    baseAt: p.datetime(6).defaultRaw('now()'),
    /** What the nodes name instead, and an operator has to accept. */
    offered: p.json<Witness[]>().nullable(),
    offeredAt: p.datetime(6).nullable(),
  },
  checks: [{ name: 'witness_set_single_row', expression: 'id = 1' }],
});

export class WitnessSetRow extends WitnessSetSchema.class {}
WitnessSetSchema.setClass(WitnessSetRow);
