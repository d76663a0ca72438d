import BigNumber from 'bignumber.js';
import fc from 'fast-check';
import { energyOf, transactionsLiteral, wholeEnergyOf } from '../../src/billing/energy-amount';
import { anyTransactions, asRatio, ceilDivide } from '../support/decimals';

describe('energy of an order', () => {
  it('is the amount x 65,000, rounded up and never further', () => {
    fc.assert(
      fc.property(anyTransactions, (transactions) => {
        expect(energyOf(new BigNumber(transactions))).toBe(ceilDivide('65000', asRatio(transactions)));
      }),
    );
  });

  it.each([
    ['1', 65_000n],
    ['1.5', 97_500n],
    ['1.00001', 65_001n],
    [`1.${'0'.repeat(9_000)}1`, 65_001n],
  ])('of %s transactions is %s', (transactions, energyUnits) => {
    expect(energyOf(new BigNumber(transactions))).toBe(energyUnits);
  });

  it.each(['1e400', '1e999999999', '1e99999999999', 'Infinity', '141900000000000'])(
    'of %s transactions is more than any balance pays, which is said at once',
    (transactions) => {
      const before = process.memoryUsage().rss;
      expect(energyOf(new BigNumber(transactions))).toBeNull();
      expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    },
  );
});

describe('energy of a subscription', () => {
  it('is exact or refused', () => {
    expect(wholeEnergyOf(new BigNumber(100))).toBe(6_500_000n);
    expect(wholeEnergyOf(new BigNumber('0.001'))).toBe(65n);
    expect(wholeEnergyOf(new BigNumber('1.00001'))).toBeNull();
    expect(wholeEnergyOf(new BigNumber('1e400'))).toBeNull();
  });

  it('is shown in transactions without loss of what was asked for', () => {
    expect(transactionsLiteral(0n)).toBe('0');
    expect(transactionsLiteral(6_500_000n)).toBe('100');
    expect(transactionsLiteral(97_500n)).toBe('1.5');
    expect(transactionsLiteral(65_001n)).toBe('1.000016');
  });
});
