/**
 * Where a test may end this process (`CRASH_AT`, refused in production). New ones come last, for their short names go by their place. The
 * ports (commit, node, answer, webhooks) say when each one is reached.
 */
export const CRASH_POINTS = [
  'receiver-read',
  'before-order-commit',
  'after-order-commit',
  'before-delegation-broadcast',
  'during-delegation-broadcast',
  'after-delegation-broadcast',
  'after-broadcast-commit',
  'after-inclusion-commit',
  'before-charge-commit',
  'after-charge-commit',
  'after-reclaim-claim',
  'before-reclaim-broadcast',
  'after-reclaim-broadcast',
  'before-reclaim-final-commit',
  'before-release-commit',
  'before-signing-after-activation',
  'before-event-commit',
  'after-webhook-claim',
  'before-webhook-send',
  'during-webhook-send',
  'after-webhook-answer',
  'after-webhook-record',
  'after-stake-plan',
  'before-stake-commit',
  'after-stake-commit',
  'after-stake-broadcast',
  'after-stake-record',
  'before-stake-final-commit',
  'after-deposit-seen',
  'before-deposit-final-commit',
  'after-deposit-final-commit',
  'before-deposit-credit-commit',
  'after-deposit-credit-commit',
  'after-signature',
  'after-sweep-plan',
  'after-sweep-signed',
  'before-sweep-commit',
  'after-sweep-commit',
  'after-sweep-broadcast',
  'before-sweep-final-commit',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** CP1, CP2, …: their short names, by which other programs know them. */
export const crashPointAlias = (point: CrashPoint): string => `CP${CRASH_POINTS.indexOf(point) + 1}`;
