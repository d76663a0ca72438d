/** What a transaction of the service commits, by the names of the statements in it that write. */
export const COMMIT_KINDS = ['order', 'activation', 'answer', 'settlement', 'reclaim', 'other'] as const;
export type CommitKind = (typeof COMMIT_KINDS)[number];

/** An order that activates its receiver is held by a statement of its own. */
const ACTIVATES = ['billing_hold', 'delegation_signed_after_activation', 'activation_withdraw'];
/** What blocks prove, carried over to orders and money. A batch may have both; money comes first. */
const SETTLES = ['outbox_mark_included', 'outbox_mark_dropped', 'outbox_mark_final', 'outbox_mark_dead'];

export function commitKind(statements: readonly string[]): CommitKind {
  const has = (...names: string[]) => names.some((name) => statements.includes(name));
  if (has(...ACTIVATES)) return 'activation';
  if (has('delegation_insert')) return 'order';
  if (has('delegation_answer_success', 'delegation_answer_failure', 'delegation_take_over')) return 'answer';
  if (has('billing_take')) return 'settlement';
  if (has('delegation_taken_back') || statements.some((name) => name.startsWith('reclaim_'))) return 'reclaim';
  return has(...SETTLES) ? 'settlement' : 'other';
}

/** `12 order, 3 activation, …` */
export function tallied(tally: Readonly<Record<CommitKind, number>>): string {
  return COMMIT_KINDS.map((kind) => `${tally[kind]} ${kind}`).join(', ');
}

export function noCommits(): Record<CommitKind, number> {
  return { order: 0, activation: 0, answer: 0, settlement: 0, reclaim: 0, other: 0 };
}
