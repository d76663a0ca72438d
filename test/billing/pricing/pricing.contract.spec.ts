import BigNumber from 'bignumber.js';
import fc from 'fast-check';
import { BILLING_VARIANTS, type BillingVariant } from '../../../config/billing-variants';
import { choosePricing } from '../../../src/billing/pricing/choose-pricing';
import { roundUpToWhole } from '../../../src/billing/rounding';
import { anyTransactions, asRatio, ceilDivide } from '../../support/decimals';

const anyUnitPriceSun = fc.option(fc.bigInt(2_000_000n, 2_500_000n), { nil: null });

const VARIANTS = Object.keys(BILLING_VARIANTS) as BillingVariant[];

describe.each(VARIANTS)('billing variant %s, the contract of every variant', (variant) => {
  const pricing = choosePricing({ variant, defaultUnitPriceSun: 2_400_000n });
  const feeSun = (transactions: string, unitPriceSun: bigint | null): bigint | null =>
    roundUpToWhole(pricing.exactFeeSun(new BigNumber(transactions), unitPriceSun));

  it('charges at least 2 and at most 3 native units per transaction, rounded up to the sun and never further', () => {
    fc.assert(
      fc.property(anyTransactions, anyUnitPriceSun, (transactions, unitPriceSun) => {
        const exact = asRatio(transactions);
        const fee = feeSun(transactions, unitPriceSun)!;
        const expected = ceilDivide(pricing.exactFeeSun(new BigNumber(1), unitPriceSun).toFixed(0), exact);
        expect(fee).toBe(expected);
        expect(fee).toBeGreaterThanOrEqual(ceilDivide('2000000', exact));
        expect(fee).toBeLessThanOrEqual(ceilDivide('3000000', exact));
      }),
    );
  });

  it('never charges less for more', () => {
    fc.assert(
      fc.property(anyTransactions, anyTransactions, anyUnitPriceSun, (one, other, unitPriceSun) => {
        const [less, more] = [one, other].sort((a, b) => new BigNumber(a).comparedTo(b)!);
        expect(feeSun(less!, unitPriceSun)! <= feeSun(more!, unitPriceSun)!).toBe(true);
      }),
    );
  });

  it('depends on the account only when it says so', () => {
    const amount = new BigNumber(7);
    const same = pricing.exactFeeSun(amount, 2_100_000n).isEqualTo(pricing.exactFeeSun(amount, 2_300_000n));
    expect(same).toBe(!pricing.usesAccountPrice);
  });

  it.each(['1e400', '1e999999999', 'Infinity'])('has no fee that an account could pay for %s', (transactions) => {
    expect(feeSun(transactions, null)).toBeNull();
  });
});

describe('what sets the variants apart', () => {
  it.each([
    ['A', '1', null, 3_000_000n],
    ['A', '1', 2_100_000n, 3_000_000n],
    ['A', '1.0000001', null, 3_000_001n],
    ['B', '1', null, 2_400_000n],
    ['B', '1', 2_000_000n, 2_000_000n],
    ['B', '2.5', 2_500_000n, 6_250_000n],
    ['B', '1.1', 2_123_457n, 2_335_803n],
  ] as const)('variant %s charges %s transactions at %s with %s sun', (variant, transactions, unitPriceSun, sun) => {
    const pricing = choosePricing({ variant, defaultUnitPriceSun: 2_400_000n });
    expect(roundUpToWhole(pricing.exactFeeSun(new BigNumber(transactions), unitPriceSun))).toBe(sun);
  });

  it('carries `cost` in variant B only', () => {
    const carries = VARIANTS.filter((variant) => BILLING_VARIANTS[variant].answersCarryCost);
    expect(carries).toEqual(['B']);
  });
});
