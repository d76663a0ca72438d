/**
 * The index, among the active witnesses' newest heights sorted ascending, of the one that all above have built on; as `DposService` has it,
 * in the same arithmetic.
 */
const indexOfFinal = (witnesses: number): number => Math.trunc(witnesses * (1 - 0.7));

/** The height that 19 of 27 witnesses, and of other numbers likewise, have built on. */
export function finalHeight(newest: readonly number[]): number {
  return newest.toSorted((a, b) => a - b)[indexOfFinal(newest.length)]!;
}

/** How far behind the head that is while all make their blocks in turn. */
const finalLag = (witnesses: number): number => witnesses - 1 - indexOfFinal(witnesses);

/** So many blocks behind what is final a node shows its solid state. */
export const VIEW_LAG = 2;
export const MOST_WITNESSES = 1_000;
export const MOST_SOLID_LAG = finalLag(MOST_WITNESSES) + VIEW_LAG;

/** The most witnesses with which `walletsolidity/*` is so many blocks behind the head: 27 for 20. One, where no number fits. */
export function witnessesFor(solidLag: number): number {
  let witnesses = 1;
  while (finalLag(witnesses + 1) + VIEW_LAG <= solidLag) witnesses++;
  return witnesses;
}
