import type { Account, Vote } from '../state/account.model';
import { keys, type WorldState } from '../state/world.state';
import { TRX } from '../chain/chain.parameters';

/** A change of votes that the next maintenance counts: what was in force, and what is to be. */
export interface VoteChange {
  before: Vote[];
  after: Vote[];
}

const GONE = -1n;

/** Power of what is staked for energy and bandwidth, lent or not. */
const powerOfStake = ({ net, energy }: Account): bigint =>
  net.frozenSun + net.delegatedSun + energy.frozenSun + energy.delegatedSun;

/** All that an account can vote with, in sun. */
export function tronPowerSun(account: Account): bigint {
  const { oldPowerSun = 0n, powerSun = 0n } = account;
  if (oldPowerSun === GONE) return powerSun;
  return (oldPowerSun === 0n ? powerOfStake(account) : oldPowerSun) + powerSun;
}

/** As votes and unfreezing go by it. */
export const powerToVote = (world: WorldState, account: Account): bigint =>
  world.parameters.allowNewResourceModel ? tronPowerSun(account) : powerOfStake(account);

export const votesOf = (account: Account): bigint => (account.votes ?? []).reduce((sum, { count }) => sum + count, 0n);

/** Where stake for votes alone is allowed, an account keeps the power that it had before: by its next stake, vote or unfreezing. */
export function keepOldPower(world: WorldState, account: Account): void {
  if (!world.parameters.allowNewResourceModel || (account.oldPowerSun ?? 0n) !== 0n) return;
  const power = powerOfStake(account);
  account.oldPowerSun = power === 0n ? GONE : power;
}

/** For the next maintenance to count. */
export function changeVotes(world: WorldState, account: Account, votes: Vote[]): void {
  const key = keys.voteChange(account.address);
  const change = world.layer.get(key) as VoteChange | undefined;
  world.layer.put(key, { before: change?.before ?? account.votes ?? [], after: votes } satisfies VoteChange);
  account.votes = votes;
}

/** After an unfreezing of energy or bandwidth, or of stake for votes: an idle part of the power goes first, then every vote alike. */
export function shrinkVotes(world: WorldState, account: Account, isOfPower: boolean): void {
  const total = votesOf(account);
  if (total > 0n) {
    const votes = votesLeft(world, account, isOfPower, total);
    if (votes) changeVotes(world, account, votes);
  }
  if (world.parameters.allowNewResourceModel) account.oldPowerSun = GONE;
}

function votesLeft(world: WorldState, account: Account, isOfPower: boolean, total: bigint): Vote[] | undefined {
  if (world.parameters.allowNewResourceModel) {
    if (account.oldPowerSun !== GONE) return [];
    if (!isOfPower) return undefined;
  }
  const power = powerToVote(world, account);
  if (power >= total * TRX) return undefined;
  return account.votes!.flatMap(({ witness, count }) => {
    const left = BigInt(Math.trunc(((Number(count) / Number(total)) * Number(power)) / Number(TRX)));
    return left > 0n ? [{ witness, count: left }] : [];
  });
}
