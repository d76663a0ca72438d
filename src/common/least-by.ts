/** The first of those with the least; there has to be one. */
export function leastBy<T>(values: readonly T[], amount: (value: T) => bigint): T {
  return values.reduce((least, one) => (amount(one) < amount(least) ? one : least));
}
