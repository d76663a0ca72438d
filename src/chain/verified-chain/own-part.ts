import type { BlockBody } from '../tron/node/block-answer';

/** The body of a block that has nothing of ours, or of which nothing has to be known. */
export const NOTHING_OF_OURS: BlockBody = { owners: new Map(), transactions: null };

/** A block has hundreds of transactions of others, and what is kept may be hundreds of blocks for hours. */
export function onlyOf({ owners, transactions }: BlockBody, txIds: readonly string[]): BlockBody {
  const kept = txIds.filter((txId) => owners.has(txId));
  if (kept.length === 0) return NOTHING_OF_OURS;
  const ownersOf = new Map(kept.map((txId) => [txId, owners.get(txId)!]));
  return { owners: ownersOf, transactions: transactions && transactions.only(kept) };
}
