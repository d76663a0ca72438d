import { defineEntity, p } from '@mikro-orm/core';
import type { Witness } from '../../proof/judge';
import type { Followed } from '../../proof/proved-witnesses';

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
    /** This and the next: what the version before this one counted changes against. An instance of it may still run during an update. */
    base: p.json<Witness[]>().nullable(),
    baseAt: p.datetime(6).defaultRaw('now()'),
    /** What the nodes name instead, and an operator has to accept. */
    offered: p.json<Witness[]>().nullable(),
    offeredAt: p.datetime(6).nullable(),
    /** Up to where blocks were looked through for who signs them; null: from the head on. */
    followed: p.json<Followed>().nullable(),
    /** Addresses that nodes named at the last reading: of known witnesses those that every node named, of others those that any did. */
    named: p.json<string[]>().nullable(),
    /** Another one with every change of `witnesses` or `followed`: of two instances that change them, one does. */
    version: p.integer().default(0),
  },
  checks: [{ name: 'witness_set_single_row', expression: 'id = 1' }],
});

export class WitnessSetRow extends WitnessSetSchema.class {}
WitnessSetSchema.setClass(WitnessSetRow);
