import { SUN_PER_TRX } from '../../../common/money/sun';
import type { NetworkTotals, ResourceRate } from '../../tron/energy';
import { SUN_A_BYTE } from './fees';

export interface Stakes {
  readonly energySun: bigint;
  readonly bandwidthSun: bigint;
}

/** What one order takes of both resources. */
export interface OrderNeed {
  readonly energy: bigint;
  readonly bytes: bigint;
}

/** A delegation and an undelegation with their signatures and results, as a real node counted them. */
export const BYTES_OF_AN_ORDER = 281n + 283n;
/** The network freezes no less. */
const LEAST_FROZEN_SUN = SUN_PER_TRX;

/** The smallest stakes that give what so many orders a day take. */
export function stakesFor(orders: bigint, need: OrderNeed, { energy, bandwidth }: NetworkTotals): Stakes {
  return {
    energySun: stakeFor(orders * need.energy, energy),
    bandwidthSun: stakeFor(orders * need.bytes, bandwidth),
  };
}

/** How many orders a day this stake for energy carries when all energy that it gives is used. */
export function ordersCarried(energySun: bigint, need: OrderNeed, { energy }: NetworkTotals): bigint {
  return unitsOf(energySun, energy) / need.energy;
}

/** How many orders a day so much TRX carries, split between both resources so that neither runs out before the other. */
export function ordersOf(totalSun: bigint, need: OrderNeed, totals: NetworkTotals): bigint {
  const [energy, bandwidth] = weights(need, totals);
  const { energy: ofEnergy, bandwidth: ofBandwidth } = totals;
  return (totalSun * ofEnergy.limit * ofBandwidth.limit) / ((energy + bandwidth) * SUN_PER_TRX);
}

/**
 * Splits TRX that are about to be frozen, so that both resources carry equally many orders with what is staked already. Where that has too
 * much of one, all goes to the other. The network freezes no less than 1 TRX: a smaller part goes to the larger one.
 */
export function splitStake(sun: bigint, present: Stakes, need: OrderNeed, totals: NetworkTotals): Stakes {
  const [energy, bandwidth] = weights(need, totals);
  const all = sun + present.energySun + present.bandwidthSun;
  const missing = (all * bandwidth) / (energy + bandwidth) - present.bandwidthSun;
  const wanted = missing < 0n ? 0n : missing > sun ? sun : missing;
  if (wanted < LEAST_FROZEN_SUN) return { energySun: sun, bandwidthSun: 0n };
  if (sun - wanted < LEAST_FROZEN_SUN) return { energySun: 0n, bandwidthSun: sun };
  return { energySun: sun - wanted, bandwidthSun: wanted };
}

/**
 * What so many orders burn a day beside this stake for bandwidth: at most, because the free bytes of each account are left out. The network
 * takes no transaction from two sources.
 */
export function burnedADay(orders: bigint, bandwidthSun: bigint, need: OrderNeed, totals: NetworkTotals): bigint {
  const missing = orders * need.bytes - unitsOf(bandwidthSun, totals.bandwidth);
  return missing > 0n ? missing * SUN_A_BYTE : 0n;
}

/** The share of `sun` in `ofSun` in percent with one digit after the point, rounded down; null: of nothing. */
export function percentOf(sun: bigint, ofSun: bigint): number | null {
  return ofSun > 0n ? Number((sun * 1_000n) / ofSun) / 10 : null;
}

/** What one order takes of each resource in TRX, both multiplied by the two limits. */
function weights(need: OrderNeed, { energy, bandwidth }: NetworkTotals): [energy: bigint, bandwidth: bigint] {
  return [need.energy * energy.weight * bandwidth.limit, need.bytes * bandwidth.weight * energy.limit];
}

function stakeFor(units: bigint, { limit, weight }: ResourceRate): bigint {
  return (units * weight * SUN_PER_TRX + limit - 1n) / limit;
}

function unitsOf(sun: bigint, { limit, weight }: ResourceRate): bigint {
  return (sun * limit) / (weight * SUN_PER_TRX);
}
