import { type DelegatedStake, takeableSun } from '../../chain/tron/node/delegated-stake';
import type { DelegatedResource } from './delegated-resources';

/** How far the chain is from the rows of a pair: orders under way may account for what lies between least and most. */
export interface StakeDifference {
  /** Lent by somebody else. All that is locked is: our orders never lock. */
  readonly foreignSun: Range;
  /** Lent by our orders and not to be had back. */
  readonly missingSun: Range;
}

interface Range {
  readonly least: bigint;
  readonly most: bigint;
}

export function stakeDifference(pair: DelegatedResource, stake: DelegatedStake, blockTimeMs: number): StakeDifference {
  const { unlockedSun, lockedSun } = stake;
  const backSun = takeableSun(stake, blockTimeMs);
  return {
    foreignSun: {
      least: above(unlockedSun, pair.mostSun) + lockedSun,
      most: above(unlockedSun, pair.leastSun) + lockedSun,
    },
    missingSun: { least: above(pair.leastSun, backSun), most: above(pair.mostSun, backSun) },
  };
}

export function isExplained({ foreignSun, missingSun }: StakeDifference): boolean {
  return foreignSun.least === 0n && missingSun.least === 0n;
}

function above(sun: bigint, otherSun: bigint): bigint {
  return sun > otherSun ? sun - otherSun : 0n;
}
