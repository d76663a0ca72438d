import { SUN_PER_TRX } from '../common/money/sun';
import type { Votes, VoteShare } from './stake-operation';

/** More than so much of the power unused is worth a vote. */
const MOST_IDLE_PERCENT = 1n;

/** All of the power by weights, rounded down to whole votes; the remainder goes to the first. A witness that would get none is left out. */
export function sharePower(power: bigint, shares: readonly VoteShare[]): ReadonlyMap<string, bigint> {
  const weights = shares.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  if (weights === 0n) return new Map();
  const votes = shares.map(({ weight }) => (power * BigInt(weight)) / weights);
  const remainder = power - votes.reduce((sum, count) => sum + count, 0n);
  const given = shares.map(({ witness }, at) => [witness, votes[at]! + (at === 0 ? remainder : 0n)] as const);
  return new Map(given.filter(([, count]) => count > 0n));
}

export function idleVotes(power: bigint, votes: ReadonlyMap<string, bigint>): bigint {
  const idle = power - sumOf(votes);
  return idle > 0n ? idle : 0n;
}

export function isMuchIdle(power: bigint, idle: bigint): boolean {
  return idle * 100n > power * MOST_IDLE_PERCENT;
}

/** Whether the present votes are to be replaced. An unfreezing rounds each of them down, by itself. */
export function mustVote(power: bigint, votes: ReadonlyMap<string, bigint>, shares: readonly VoteShare[]): boolean {
  if (power === 0n || shares.length === 0) return false;
  if (isMuchIdle(power, idleVotes(power, votes))) return true;
  const wanted = sharePower(sumOf(votes), shares);
  const rounding = BigInt(shares.length);
  return [...new Set([...votes.keys(), ...wanted.keys()])].some((witness) => {
    const [is, should] = [votes.get(witness) ?? 0n, wanted.get(witness) ?? 0n];
    const differs = is > should ? is - should : should - is;
    return differs > rounding || (is === 0n) !== (should === 0n);
  });
}

/** The power that the network has named with its refusal of a vote for more; null: the vote was lost otherwise. */
export function namedPower(error: string | null): bigint | null {
  const sun = /greater than the tronPower\[(\d{1,19})\]/.exec(error ?? '')?.[1];
  return sun === undefined ? null : BigInt(sun) / SUN_PER_TRX;
}

/** As a row has them. */
export function asVotes(votes: ReadonlyMap<string, bigint>): Votes {
  return [...votes].map(([witness, count]) => ({ witness, votes: count.toString() }));
}

export function sumOf(votes: ReadonlyMap<string, bigint>): bigint {
  return [...votes.values()].reduce((sum, count) => sum + count, 0n);
}
