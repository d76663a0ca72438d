import {
  burnedADay,
  BYTES_OF_AN_ORDER,
  ordersCarried,
  ordersOf,
  percentOf,
  splitStake,
  stakesFor,
} from '../../../../src/chain/pool/wallets/stake-split';
import type { NetworkTotals } from '../../../../src/chain/tron/energy';

const TRX = 1_000_000n;
const NONE = { energySun: 0n, bandwidthSun: 0n };
const NEED = { energy: 65_000n, bytes: BYTES_OF_AN_ORDER };

/**
 * Mainnet as third parties have copied `wallet/getaccountresource` of it, undated: TotalEnergyLimit 180,000,000,000, TotalEnergyWeight
 * 18,971,780,957, TotalNetLimit 43,200,000,000, TotalNetWeight 26,856,723,239.
 */
const MAINNET: NetworkTotals = {
  energy: { limit: 180_000_000_000n, weight: 18_971_780_957n },
  bandwidth: { limit: 43_200_000_000n, weight: 26_856_723_239n },
};
/** The local chain's, which are mainnet's in whole billions. */
const ROUNDED: NetworkTotals = {
  energy: { limit: 180_000_000_000n, weight: 19_000_000_000n },
  bandwidth: { limit: 43_200_000_000n, weight: 27_000_000_000n },
};

describe('the split of stake between energy and bandwidth', () => {
  it('has the published figures of a pool of 10 million TRX that sells 1,462 orders a day', () => {
    const burned = burnedADay(1_462n, 0n, NEED, MAINNET);
    expect(burned).toBe(824_568_000n);
    expect(percentOf(burned, 1_462n * 3n * TRX)).toBe(18.8);
    expect(percentOf(burned, 1_462n * 2n * TRX)).toBe(28.2);
    expect(stakesFor(1_462n, NEED, MAINNET)).toEqual({
      energySun: 10_016_046_357_466n,
      bandwidthSun: 512_620_244_624n,
    });
    expect(stakesFor(1_462n, NEED, ROUNDED).bandwidthSun).toBe(515_355n * TRX);
    // What removes it, removes all of it.
    expect(burnedADay(1_462n, 512_620_244_624n, NEED, MAINNET)).toBe(0n);
    expect(burnedADay(1_462n, 512_620_000_000n, NEED, MAINNET)).toBe(1_000n);
  });

  it('lets both resources carry equally many orders', () => {
    const sun = 10_528_664n * TRX;
    expect(ordersOf(sun, NEED, MAINNET)).toBe(1_461n);
    const split = splitStake(sun, NONE, NEED, MAINNET);
    expect(split.energySun + split.bandwidthSun).toBe(sun);
    expect(ordersCarried(split.energySun, NEED, MAINNET)).toBe(1_461n);
    expect(burnedADay(1_461n, split.bandwidthSun, NEED, MAINNET)).toBe(0n);
    expect(burnedADay(1_463n, split.bandwidthSun, NEED, MAINNET)).toBeGreaterThan(0n);
  });

  it('gives all of it to what the present stake has too little of', () => {
    const present = { energySun: 10_000_000n * TRX, bandwidthSun: 0n };
    expect(splitStake(1_000n * TRX, present, NEED, MAINNET)).toEqual({ energySun: 0n, bandwidthSun: 1_000n * TRX });
    const other = { energySun: 10_000_000n * TRX, bandwidthSun: 1_000_000n * TRX };
    expect(splitStake(1_000n * TRX, other, NEED, MAINNET)).toEqual({ energySun: 1_000n * TRX, bandwidthSun: 0n });
  });

  it('freezes no part below 1 TRX, and no sun more or less than it was given', () => {
    expect(splitStake(20n * TRX, NONE, NEED, MAINNET)).toEqual({ energySun: 20n * TRX, bandwidthSun: 0n });
    const almost = { energySun: 20n * TRX, bandwidthSun: 0n };
    expect(splitStake(1_500_000n, almost, NEED, MAINNET)).toEqual({ energySun: 0n, bandwidthSun: 1_500_000n });
    expect(splitStake(0n, NONE, NEED, MAINNET)).toEqual(NONE);
    for (let sun = 1n; sun < 10n ** 15n; sun = sun * 7n + 3n) {
      const { energySun, bandwidthSun } = splitStake(sun, almost, NEED, MAINNET);
      expect(energySun + bandwidthSun).toBe(sun);
    }
  });

  it('has no share of nothing', () => {
    expect(percentOf(5n, 0n)).toBeNull();
  });
});
