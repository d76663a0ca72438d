import type { CrashPoint } from '../common/crash-point';

type Moment = readonly [point: CrashPoint, ...statements: string[]];

/** Moments of the commit port, told by the names of the statements that a transaction ran. */
const BEFORE_COMMIT: readonly Moment[] = [
  ['CP2', 'delegation_insert'],
  ['CP9', 'outbox_mark_final', 'billing_take'],
  ['CP14', 'outbox_mark_final', 'delegation_taken_back'],
  ['CP15', 'outbox_mark_dead', 'billing_release'],
];
const COMMITTED: readonly Moment[] = [
  ['CP3', 'delegation_insert'],
  ['CP7', 'outbox_mark_answered'],
  ['CP8', 'outbox_mark_included', 'delegation_change_state'],
  ['CP10', 'outbox_mark_final', 'billing_take'],
  ['CP11', 'reclaim_claim_due'],
];
const BEFORE_STATEMENT: readonly Moment[] = [['CP16', 'delegation_signed_after_activation']];

/** A batch settles orders of both kinds at once: a transaction may be at several points. */
function all(moments: readonly Moment[], ran: readonly string[]): CrashPoint[] {
  return moments.filter(([, ...names]) => names.every((name) => ran.includes(name))).map(([point]) => point);
}

export const beforeStatement = (name: string): CrashPoint[] => all(BEFORE_STATEMENT, [name]);
export const beforeCommit = (ran: readonly string[]): CrashPoint[] => all(BEFORE_COMMIT, ran);
export const committed = (ran: readonly string[]): CrashPoint[] => all(COMMITTED, ran);
