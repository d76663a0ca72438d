import { type Vote } from '../state/account.model';
import { keys, type WorldState } from '../state/world.state';
import { collect, unpaidBrokerage } from './witness.pay';

/** A vote's reward is kept in so many parts of a sun. */
export const PARTS = 10n ** 18n;

/** From which cycle on an account's rewards are not collected, and how it votes in that one. */
interface Voter {
  begin: number;
  end: number;
  votes: Vote[] | undefined;
}

const NEVER: Voter = { begin: 0, end: -1, votes: undefined };

const findVoter = (world: WorldState, address: string): Voter =>
  (world.layer.get(keys.voter(address)) as Voter | undefined) ?? NEVER;

export const rewardPerVote = (world: WorldState, witness: string, cycle: number): bigint =>
  (world.layer.get(keys.rewardPerVote(witness, cycle)) as bigint | undefined) ?? 0n;

/** For these votes, of the cycles from `begin` to before `end`. */
function rewardOf(world: WorldState, votes: readonly Vote[], begin: number, end: number): bigint {
  if (begin >= end) return 0n;
  return votes.reduce((sum, { witness, count }) => {
    const grown = rewardPerVote(world, witness, end - 1) - rewardPerVote(world, witness, begin - 1);
    return grown > 0n ? sum + (grown * count) / PARTS : sum;
  }, 0n);
}

/** Votes that changed in a cycle count as they were until its end: that cycle's reward is of the old ones. */
function ofOldVotes(world: WorldState, { begin, end, votes }: Voter, cycle: number): bigint | undefined {
  if (begin + 1 !== end || begin >= cycle) return undefined;
  return votes ? rewardOf(world, votes, begin, end) : 0n;
}

/** Into the allowance, before the votes change or the allowance is withdrawn; `MortgageService.withdrawReward`. */
export function collectReward(world: WorldState, address: string): void {
  const account = world.findAccount(address);
  const voter = findVoter(world, address);
  const cycle = world.network.cycle ?? 0;
  if (!account || voter.begin > cycle || (voter.begin === cycle && voter.votes)) return;
  const ofOld = ofOldVotes(world, voter, cycle);
  collect(world, address, ofOld ?? 0n);
  const begin = ofOld === undefined ? voter.begin : voter.begin + 1;
  const votes = account.votes ?? [];
  if (votes.length === 0) {
    world.layer.put(keys.voter(address), { ...voter, begin: cycle + 1, votes: undefined } satisfies Voter);
    return;
  }
  collect(world, address, rewardOf(world, votes, begin, cycle));
  world.layer.put(keys.voter(address), { begin: cycle, end: cycle + 1, votes } satisfies Voter);
}

/** What a withdrawal would bring; `MortgageService.queryReward`. */
export function rewardSun(world: WorldState, address: string): bigint {
  const account = world.findAccount(address);
  if (!account) return 0n;
  const voter = findVoter(world, address);
  const cycle = world.network.cycle ?? 0;
  const collected = (account.allowanceSun ?? 0n) + unpaidBrokerage(world, address);
  if (voter.begin > cycle) return collected;
  const ofOld = ofOldVotes(world, voter, cycle);
  const begin = ofOld === undefined ? voter.begin : voter.begin + 1;
  return collected + (ofOld ?? 0n) + rewardOf(world, account.votes ?? [], begin, cycle);
}
