import { SUN_PER_TRX } from '../../common/money/sun';

/** The network's energy and the TRX staked for it, as in `wallet/getaccountresource`. */
export interface EnergyRate {
  /** TotalEnergyLimit, energy a day. */
  readonly limit: bigint;
  /** TotalEnergyWeight, whole TRX. */
  readonly weight: bigint;
}

/** The same two numbers of either resource: for bandwidth, bytes a day and whole TRX. */
export type ResourceRate = EnergyRate;

/** What the network gives for stake. */
export interface NetworkTotals {
  readonly energy: ResourceRate;
  readonly bandwidth: ResourceRate;
}

/** Whether a stake gives less energy by `one` than by `other`. */
export function givesLess(one: EnergyRate, other: EnergyRate): boolean {
  return one.limit * other.weight < other.limit * one.weight;
}

/** The energy that a node gives for a stake. In doubles, because the node calculates so (EnergyProcessor.calculateGlobalEnergyLimitV2). */
export function energyOfStake(stakeSun: bigint, rate: EnergyRate): bigint {
  if (rate.weight === 0n) return 0n;
  return BigInt(Math.trunc((Number(stakeSun) / 1e6) * (Number(rate.limit) / Number(rate.weight))));
}

/** The stake that gives so much energy, rounded down. */
export function stakeOfEnergy(energy: bigint, { limit, weight }: EnergyRate): bigint {
  return (energy * weight * SUN_PER_TRX) / limit;
}

/**
 * The stake that gives at least `energy`, with a margin in case the network's stake grows before the block. One sun above the exact
 * quotient, because the node's doubles otherwise fall one energy short in a few of 100,000 cases: its three operations and their operands
 * lose less than one part in 2^49, which is less than a sun up to 560 million TRX.
 */
export function stakeForEnergyCeil(energy: bigint, rate: EnergyRate, marginPpm: bigint): bigint {
  const exact = ceilDivide(energy * rate.weight * SUN_PER_TRX, rate.limit);
  const stake = ceilDivide((exact + 1n + (exact >> 49n)) * (1_000_000n + marginPpm), 1_000_000n);
  // The network accepts no delegation below 1 TRX.
  return stake < SUN_PER_TRX ? SUN_PER_TRX : stake;
}

/** The most energy for which this stake is enough, margin included: undoes what `stakeForEnergyCeil` adds, to within three sun. */
export function largestEnergy(stakeSun: bigint, rate: EnergyRate, marginPpm: bigint): bigint {
  const exact = (stakeSun * 1_000_000n) / (1_000_000n + marginPpm) - 2n - (stakeSun >> 49n);
  if (stakeSun < SUN_PER_TRX || rate.weight === 0n) return 0n;
  return (exact * rate.limit) / (rate.weight * SUN_PER_TRX);
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
