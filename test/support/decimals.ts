import fc from 'fast-check';

/** An exact decimal as numerator over a power of ten: an independent account of what the service computes. */
export interface Ratio {
  numerator: bigint;
  denominator: bigint;
}

/** Decimals >= 1 as callers write them, with up to 30 places. */
export const anyTransactions = fc
  .tuple(fc.bigInt(1n, 1_000_000_000n), fc.option(fc.stringMatching(/^\d{1,30}$/), { nil: '' }))
  .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));

export function asRatio(decimal: string): Ratio {
  const [whole, fraction = ''] = decimal.split('.');
  return { numerator: BigInt(whole! + fraction), denominator: 10n ** BigInt(fraction.length) };
}

/** ceil(units x ratio) in integers alone. */
export function ceilDivide(units: string, { numerator, denominator }: Ratio): bigint {
  return (BigInt(units) * numerator + denominator - 1n) / denominator;
}
