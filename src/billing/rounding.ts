import BigNumber from 'bignumber.js';

/** What a bigint column holds: more than any balance or quota. */
export const LARGEST_WHOLE = 2n ** 63n - 1n;
const LARGEST = new BigNumber(LARGEST_WHOLE.toString());

/**
 * Whole sun or whole energy, rounded up. Null when no column could hold it: the comparison looks at the exponent only,
 * so that `1e400` costs nothing.
 */
export function roundUpToWhole(exact: BigNumber): bigint | null {
  return exact.isLessThanOrEqualTo(LARGEST) ? roundUpBounded(exact) : null;
}

/** For numbers whose exponent is known to be small: each digit of this one takes memory. */
export function roundUpBounded(exact: BigNumber): bigint {
  return BigInt(exact.integerValue(BigNumber.ROUND_CEIL).toFixed(0));
}

/** To the nearest, halves up. What is beyond every column is as good as the largest of them. */
export function roundToNearestWhole(exact: BigNumber): bigint {
  if (!exact.isLessThanOrEqualTo(LARGEST)) return LARGEST_WHOLE;
  return BigInt(exact.integerValue(BigNumber.ROUND_HALF_UP).toFixed(0));
}

/** Amounts in quotes: at three places, so that they read well and still cover what they are for. */
export function roundUpToThousandths(exact: BigNumber): BigNumber {
  return exact.decimalPlaces(3, BigNumber.ROUND_CEIL);
}

export function roundDownToThousandths(exact: BigNumber): BigNumber {
  return exact.decimalPlaces(3, BigNumber.ROUND_FLOOR);
}

/** A quotient at six places, rounded up, without trailing zeros; for show only. */
export function roundUpToSixPlaces(exact: BigNumber): string {
  return exact.decimalPlaces(6, BigNumber.ROUND_CEIL).toFixed();
}
