import type { FindingKind } from '../common/finding-reasons';

/** What somebody with a stolen key of a wallet would leave behind. They are shown before all else, in red. */
export const KEY_SUSPICIONS: readonly FindingKind[] = [
  'delegation_foreign',
  'delegation_double',
  'undelegation_foreign',
  'shortage',
  'wallet_used',
];

interface Suspect {
  readonly kind: string;
  readonly resolved_at: unknown;
}

/** An open finding that may mean a stolen key. */
export function isAlarm({ kind, resolved_at: resolvedAt }: Suspect): boolean {
  return resolvedAt === null && mayMeanStolenKey(kind);
}

export function mayMeanStolenKey(kind: string): boolean {
  return KEY_SUSPICIONS.some((suspicion) => suspicion === kind);
}
