import { bandwidthCostsOf } from '../../../src/panel/business/costs';
import type { OrderCounts } from '../../../src/reporting/reports/order-report';

describe('what bandwidth costs on Business', () => {
  const counts = (landed: bigint) => ({ landed }) as OrderCounts;
  const burned = (transactions: bigint, burnedSun: bigint) => ({ transactions, burning: 0n, burnedSun, unread: 1n });

  it('is what was burned, and at most 0.3 TRX for each delegation and reclaim of which that is not known', () => {
    expect(bandwidthCostsOf(counts(5n), burned(7n, 2_000_000n))).toEqual({
      read: 7n,
      burnedSun: 2_000_000n,
      unread: 3n,
      unreadAtMostSun: 900_000n,
    });
  });

  it('leaves nothing unknown where more is known than the orders of the range have', () => {
    expect(bandwidthCostsOf(counts(1n), burned(7n, 0n))).toMatchObject({ unread: 0n, unreadAtMostSun: 0n });
  });
});
