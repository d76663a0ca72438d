import { BigNumber } from 'bignumber.js';
import { quoteResponse } from '../../src/quote/dto/quote.response';

const QUOTE = {
  receiver: 'T',
  activated: true,
  contract: false,
  transactions: new BigNumber(1),
  energy: 65_000n,
  costSun: 3_000_000n,
  activationSun: 0n,
  paidBy: 'balance',
  payable: true,
  available: true,
  largestTransactions: new BigNumber(10),
  burnSun: 6_500_000n,
  transfer: null,
  quotedAt: new Date(0),
} as const;

describe('the answer to a quote', () => {
  it.each([
    [-1n, '0'],
    [0n, '0'],
    [1n, '1'],
  ])('says of a receiver with %s energy left that it can use %s', (energyLeft, said) => {
    const { data } = quoteResponse({ ...QUOTE, energyLeft });
    expect(JSON.stringify(data)).toContain(`"energy_available":${said},`);
  });
});
