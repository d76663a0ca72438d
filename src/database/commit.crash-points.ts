import type { CrashPoint } from '../../config/crash-point';

type Moment = readonly [point: CrashPoint, ...statements: string[]];

/** Moments of the commit port, recognised by the names of the statements that a transaction ran. */
const BEFORE_COMMIT: readonly Moment[] = [
  ['before-order-commit', 'delegation_insert'],
  ['before-charge-commit', 'outbox_mark_final', 'billing_take'],
  ['before-reclaim-final-commit', 'outbox_mark_final', 'delegation_taken_back'],
  ['before-release-commit', 'outbox_mark_dead', 'billing_release'],
  ['before-event-commit', 'webhook_write_events'],
  ['before-stake-commit', 'stake_operation_signed', 'outbox_insert'],
  ['before-stake-final-commit', 'outbox_mark_final', 'stake_operation_final'],
  ['before-deposit-final-commit', 'deposits_settle'],
  ['before-deposit-credit-commit', 'ledger_move', 'deposit_credited'],
  ['before-sweep-commit', 'deposit_sweep_sent', 'outbox_insert'],
  ['before-sweep-final-commit', 'outbox_mark_final', 'deposit_sweep_final'],
];
const COMMITTED: readonly Moment[] = [
  ['after-order-commit', 'delegation_insert'],
  ['after-broadcast-commit', 'outbox_mark_answered'],
  ['after-inclusion-commit', 'outbox_mark_included', 'delegation_change_state'],
  ['after-charge-commit', 'outbox_mark_final', 'billing_take'],
  ['after-reclaim-claim', 'reclaim_claim_due'],
  ['after-stake-plan', 'stake_operation_plan'],
  ['after-stake-commit', 'stake_operation_signed', 'outbox_insert'],
  ['after-stake-record', 'stake_operation_sent'],
  ['after-deposit-seen', 'deposits_see'],
  ['after-deposit-final-commit', 'deposits_settle'],
  ['after-deposit-credit-commit', 'ledger_move', 'deposit_credited'],
  ['after-sweep-plan', 'deposit_sweep_plan'],
  ['after-sweep-signed', 'deposit_sweep_signed'],
  ['after-sweep-commit', 'deposit_sweep_sent', 'outbox_insert'],
];
const BEFORE_STATEMENT: readonly Moment[] = [['before-signing-after-activation', 'delegation_signed_after_activation']];

/** A batch settles orders of both kinds together: a transaction may be at several points. */
function all(moments: readonly Moment[], ran: readonly string[]): CrashPoint[] {
  return moments.filter(([, ...names]) => names.every((name) => ran.includes(name))).map(([point]) => point);
}

export const beforeStatement = (name: string): CrashPoint[] => all(BEFORE_STATEMENT, [name]);
export const beforeCommit = (ran: readonly string[]): CrashPoint[] => all(BEFORE_COMMIT, ran);
export const committed = (ran: readonly string[]): CrashPoint[] => all(COMMITTED, ran);
