import type { FindingKind } from './finding-reasons';

/** What a wallet lacks, or why it could not be read or its transactions were refused: nothing about it is unexplained. */
const EXPLAINED: readonly FindingKind[] = ['low_stake', 'low_bandwidth', 'low_trx', 'wallet_refused', 'wallet_unread'];

/** Somebody has to say what it was before its wallet lends again. A kind that is not known here counts as such. */
export function castsDoubt({ kind }: { readonly kind: string }): boolean {
  return !EXPLAINED.some((known) => known === kind);
}
