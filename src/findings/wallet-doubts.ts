import type { FindingKind } from '../common/finding-reasons';

/** What a wallet lacks or does not earn, or why it could not be read or its transactions were refused: nothing about it is unexplained. */
export const WITHOUT_DOUBT: readonly FindingKind[] = [
  'low_stake',
  'low_bandwidth',
  'low_trx',
  'bandwidth_burned',
  'wallet_refused',
  'wallet_unread',
  'votes_idle',
  'reward_unclaimed',
  'unfrozen_ready',
  'care_key',
  'signer_unavailable',
  'witness_pays_nothing',
];

/** Somebody has to say what it was before its wallet lends again. A kind that is not known here counts as such. */
export function castsDoubt({ kind }: { readonly kind: string }): boolean {
  return !WITHOUT_DOUBT.some((known) => known === kind);
}
