import { keys, type WorldState } from '../state/world.state';
import { addressOf, type Witness } from '../witnesses/witness.model';

export const USUAL_BROKERAGE = 20;
/** Witnesses with most votes that earn by them. */
export const STANDBY_WITNESSES = 127;
const FIRST_VOTES = 100_000_028;

/** What a witness has of votes, pay and blocks. */
export interface WitnessTally {
  votes: bigint;
  /** Per cent that it keeps of its pay in this cycle, and in the next one. */
  brokerage: number;
  nextBrokerage: number;
  /** Its voters' part of the pay in this cycle. */
  rewardSun: bigint;
  /** Blocks that it has made and is not paid for yet. */
  unpaidBlocks: number;
  produced: number;
  latestBlock: number;
  latestSlot: number;
}

/** Before anybody votes, the lower a witness's number the more votes it has. */
export const newTally = ({ number }: Witness): WitnessTally => ({
  votes: BigInt(Math.max(0, FIRST_VOTES - number)),
  brokerage: USUAL_BROKERAGE,
  nextBrokerage: USUAL_BROKERAGE,
  rewardSun: 0n,
  unpaidBlocks: 0,
  produced: 0,
  latestBlock: 0,
  latestSlot: 0,
});

export const witnessesOf = (world: WorldState): readonly Witness[] =>
  (world.layer.get(keys.witnesses) as Witness[] | undefined) ?? [];

export const findTally = (world: WorldState, witness: Witness): WitnessTally =>
  (world.layer.get(keys.tally(addressOf(witness))) as WitnessTally | undefined) ?? newTally(witness);

export function editTally(world: WorldState, witness: Witness): WitnessTally {
  const key = keys.tally(addressOf(witness));
  const found = world.layer.edit(key) as WitnessTally | undefined;
  if (found) return found;
  const tally = newTally(witness);
  world.layer.put(key, tally);
  return tally;
}

export const findWitness = (world: WorldState, address: string): Witness | undefined =>
  witnessesOf(world).find((witness) => addressOf(witness) === address);

/** Most votes first. */
export function byVotes(world: WorldState, witnesses = witnessesOf(world)): Witness[] {
  const votes = new Map(witnesses.map((witness) => [witness.number, findTally(world, witness).votes]));
  return witnesses.toSorted((one, other) => {
    const more = votes.get(other.number)! - votes.get(one.number)!;
    return more === 0n ? one.number - other.number : Number(more > 0n) * 2 - 1;
  });
}
