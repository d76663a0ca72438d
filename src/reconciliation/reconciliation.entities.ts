import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';
import { PoolWallet } from '../chain/pool/wallets/pool-wallet.entity';
import type { InstanceSetup } from './terms/terms';

/** When work that one instance does for all was last begun. */
export const JobRun = defineEntity({
  name: 'JobRun',
  tableName: 'job_runs',
  properties: {
    name: p.text().primary(),
    ranAt: p.datetime(6),
  },
});

/** One row: up to where the reconciler has looked at what changed, and when it last looked at everything. */
export const ReconcileMark = defineEntity({
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

export const CHECK_OUTCOMES = ['done', 'unreachable', 'failed'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** One row: the last check of everything that an operator has begun in the panel, under way or over. */
export const WholeCheck = defineEntity({
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

/**
 * What no order explains between a wallet and a receiver, as the reconciler has found it: the wallet was paused for as much, or an
 * operator has resumed it with as much in sight. Kept until the chain shows that it is gone, whatever our own orders between the
 * two do to the findings meanwhile.
 */
export const UnexplainedStake = defineEntity({
  name: 'UnexplainedStake',
  tableName: 'unexplained_stakes',
  properties: {
    wallet: () => p.manyToOne(PoolWallet).primary().ref().deleteRule('cascade'),
    receiver: p.text().primary(),
    /** Lent by somebody else. */
    foreignSun: p.bigint('bigint'),
    /** Lent by our orders and not there. */
    missingSun: p.bigint('bigint'),
  },
});

/** What a running instance sells by; it says every few seconds that it still runs. */
export const InstanceTerms = defineEntity({
  name: 'InstanceTerms',
  tableName: 'instance_terms',
  properties: {
    id: p.uuid().primary(),
    host: p.text(),
    /** Settings by their names. */
    terms: p.json<Record<string, string>>(),
    /** What else it says of itself. */
    setup: p.json<InstanceSetup>().defaultRaw(`'{}'`),
    seenAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
});
