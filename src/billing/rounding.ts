import BigNumber from 'bignumber.js';

/** What a bigint column holds: more than any balance or quota. */
export const LARGEST_WHOLE = 2n ** 63n - 1n;
const LARGEST = new BigNumber(LARGEST_WHOLE.toString());

/**
 * Whole sun or whole energy, rounded up. Null when no column could hold it: the comparison looks at the exponent only,
 * so that `1e400` costs nothing.
 */
export function roundUpToWhole(exact: BigNumber): bigint | null {
  if (!exact.isLessThanOrEqualTo(LARGEST)) return null;
  return BigInt(exact.integerValue(BigNumber.ROUND_CEIL).toFixed(0));
}

/** What is beyond every column is as good as the largest of them. */
export function roundDownToWhole(exact: BigNumber): bigint {
  if (!exact.isLessThanOrEqualTo(LARGEST)) return LARGEST_WHOLE;
  return BigInt(exact.integerValue(BigNumber.ROUND_FLOOR).toFixed(0));
}

/** A quotient at six places, rounded up, without trailing zeros; for show only. */
export function roundUpToSixPlaces(exact: BigNumber): string {
  return exact.decimalPlaces(6, BigNumber.ROUND_CEIL).toFixed();
}
