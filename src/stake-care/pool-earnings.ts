import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';
import { BurnedWeeks } from '../reporting/burned-bandwidth/burned-week';
import { type WalletEarnings, WalletEarningsRepository } from '../reporting/earnings/wallet-earnings.repository';
import type { Days } from '../reporting/refusals/refused-attempt.repository';
import { broughtSun } from '../reporting/wallet-revenue/brought-sun';
import { DAY_MS } from './care-periods';
import { WitnessRepository } from './readings/witness.repository';
import { yieldOfWitness } from './readings/witness-yield';

/** What one wallet or all have earned. A yield is in hundredths of a per cent of the stake a year; null: nothing was staked. */
export interface StakeEarnings {
  /** On average, while it was in the pool. */
  readonly stakedSun: bigint;
  readonly orders: bigint;
  readonly broughtSun: bigint;
  /** Claimed rewards. */
  readonly rewardSun: bigint;
  readonly ordersYield: bigint | null;
  readonly rewardsYield: bigint | null;
  readonly yield: bigint | null;
  /** Sun for a day: what was staked, and what orders took of its energy, which may be sold again once its receiver has left it unused. */
  readonly stakedSunDays: bigint;
  readonly lentSun: bigint;
  /** On average, the stake whose energy no order took. */
  readonly idleSun: bigint;
  /** What the idle stake brings in a year by voting alone; null: not known. */
  readonly idleVotesSun: bigint | null;
}

export interface WalletStakeEarnings extends StakeEarnings, Pick<WalletEarnings, 'id' | 'name' | 'address' | 'state'> {}

/** By what a year's votes are reckoned: rewards that were claimed, or what the network's rule gives for the witnesses that wallets vote for. */
export type VotesBy = 'claims' | 'witnesses' | null;

export interface PoolEarningsView {
  /** Those that brought most first. */
  readonly wallets: readonly WalletStakeEarnings[];
  readonly all: StakeEarnings;
  readonly votesBy: VotesBy;
}

const REWARDS = statement<[from: string, to: string], { wallet_id: string; sun: bigint }>(
  'stake_rewards_of_days',
  'select wallet_id, sum(claimed_sun)::bigint as sun from stake_rewards where day >= $1::date and day < $2::date group by wallet_id',
);

const HUNDREDTHS = 10_000n;
const DAYS_A_YEAR = 365n;

/** Rounded down. */
export function yearlyHundredths(sun: bigint, stakedSunDays: bigint): bigint | null {
  return stakedSunDays > 0n ? (sun * DAYS_A_YEAR * HUNDREDTHS) / stakedSunDays : null;
}

/** What the stake of the pool has earned, by orders and by votes. */
@Injectable()
export class PoolEarnings {
  constructor(
    private readonly sql: Sql,
    private readonly wallets: WalletEarningsRepository,
    private readonly witnesses: WitnessRepository,
    private readonly weeks: BurnedWeeks,
  ) {}

  /** The days are UTC; `to` is the one after the last. */
  async read({ from, to }: Days): Promise<PoolEarningsView> {
    const [wallets, rewards, readings] = await Promise.all([
      this.wallets.read({ from, to }),
      this.sql.rows(REWARDS, [from, to]),
      this.witnesses.byAddress(),
    ]);
    const claimed = new Map(rewards.map(({ wallet_id: id, sun }) => [id, sun]));
    const sums = wallets.map((wallet) => ({
      wallet,
      broughtSun: broughtSun(wallet, this.weeks.listPriceSun),
      rewardSun: claimed.get(wallet.id) ?? 0n,
      idleSunDays: idleOf(wallet),
    }));
    const total = (of: (one: (typeof sums)[number]) => bigint) => sums.reduce((sum, one) => sum + of(one), 0n);
    const stakedSunDays = total(({ wallet }) => wallet.stakedSunDays);
    const claimedYield =
      yearlyHundredths(
        total(({ rewardSun }) => rewardSun),
        stakedSunDays,
      ) ?? 0n;
    const ofWitnesses = bestYield([...readings.values()].map(yieldOfWitness));
    const votesYield = claimedYield > 0n ? claimedYield : ofWitnesses;
    return {
      wallets: sums
        .map(({ wallet, ...sum }) => {
          const { id, name, address, state } = wallet;
          const own = yearlyHundredths(sum.rewardSun, wallet.stakedSunDays) ?? 0n;
          return { id, name, address, state, ...earningsOf(wallet, sum, own > 0n ? own : votesYield) };
        })
        .toSorted((one, other) => compare(earned(other), earned(one))),
      all: earningsOf(
        {
          stakedSunDays,
          heldMs: wallets.reduce((most, { heldMs }) => (heldMs > most ? heldMs : most), 0n),
          orders: total(({ wallet }) => wallet.orders),
          lentSun: total(({ wallet }) => wallet.lentSun),
        },
        {
          broughtSun: total((one) => one.broughtSun),
          rewardSun: total(({ rewardSun }) => rewardSun),
          idleSunDays: total(({ idleSunDays }) => idleSunDays),
        },
        votesYield,
      ),
      votesBy: claimedYield > 0n ? 'claims' : ofWitnesses === null ? null : 'witnesses',
    };
  }
}

type Staked = Pick<WalletEarnings, 'stakedSunDays' | 'heldMs' | 'orders' | 'lentSun'>;
type Earned = Pick<StakeEarnings, 'broughtSun' | 'rewardSun'>;

function earningsOf(
  { stakedSunDays, heldMs, orders, lentSun }: Staked,
  { broughtSun: bringsSun, rewardSun, idleSunDays }: Earned & { readonly idleSunDays: bigint },
  votesYield: bigint | null,
): StakeEarnings {
  const average = (sunDays: bigint) => (heldMs > 0n ? (sunDays * BigInt(DAY_MS)) / heldMs : 0n);
  const idleSun = average(idleSunDays);
  return {
    stakedSun: average(stakedSunDays),
    orders,
    broughtSun: bringsSun,
    rewardSun,
    ordersYield: yearlyHundredths(bringsSun, stakedSunDays),
    rewardsYield: yearlyHundredths(rewardSun, stakedSunDays),
    yield: yearlyHundredths(bringsSun + rewardSun, stakedSunDays),
    stakedSunDays,
    lentSun,
    idleSun,
    idleVotesSun: votesYield === null ? null : (idleSun * votesYield) / HUNDREDTHS,
  };
}

/** More than all of a wallet's energy can be sold, and then none of another wallet's is. */
function idleOf({ stakedSunDays, lentSun }: Staked): bigint {
  return lentSun < stakedSunDays ? stakedSunDays - lentSun : 0n;
}

/** Votes can go to the best of them. */
function bestYield(percents: readonly (number | null)[]): bigint | null {
  const known = percents.filter((percent) => percent !== null);
  return known.length > 0 ? BigInt(Math.round(Math.max(...known) * 100)) : null;
}

function earned({ broughtSun: bringsSun, rewardSun }: Earned): bigint {
  return bringsSun + rewardSun;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
