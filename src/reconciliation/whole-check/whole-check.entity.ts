import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

export const CHECK_OUTCOMES = ['done', 'unreachable', 'failed'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** One row: the last check of everything that an operator has begun in the panel, under way or over. */
const WholeCheckSchema = defineEntity({
  name: 'WholeCheck',
  tableName: 'whole_check',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** An older one that is still being carried out writes nothing here. */
    run: p.bigint('bigint'),
    askedBy: () => p.manyToOne(User).ref().nullable().deleteRule('restrict'),
    begunAt: p.datetime(6),
    /** Put off again and again while it goes on: past, its instance is gone. */
    claimedUntil: p.datetime(6),
    endedAt: p.datetime(6).nullable(),
    outcome: p.enum(CHECK_OUTCOMES).nullable(),
    result: p.json<Record<string, unknown>>().nullable(),
  },
  checks: [{ name: 'whole_check_single_row', expression: 'id = 1' }],
});

export class WholeCheck extends WholeCheckSchema.class {}
WholeCheckSchema.setClass(WholeCheck);
