import { keys, type WorldState } from '../state/world.state';
import type { Witness } from '../witnesses/witness.model';
import { addressOf } from '../witnesses/witness.model';
import type { VoteChange } from './tron.power';
import { PARTS, rewardPerVote } from './voter.reward';
import { payWitnesses } from './witness.pay';
import { byVotes, editTally, findTally, findWitness, witnessesOf } from './witness.tally';

/**
 * After a block of this time: in each period the first one closes a cycle, whose pay it belongs to, and votes count from then on. The first block
 * of a chain only begins the first period. However many periods have passed without a block, it is one cycle.
 */
export function maintain(world: WorldState, blockTime: number): void {
  const { nextMaintenanceAt } = world.network;
  if (nextMaintenanceAt !== undefined && nextMaintenanceAt > blockTime) return;
  if (nextMaintenanceAt !== undefined) closeCycle(world);
  const from = nextMaintenanceAt ?? 0;
  const { maintenanceMs } = world.parameters;
  world.editNetwork().nextMaintenanceAt = from + (Math.floor((blockTime - from) / maintenanceMs) + 1) * maintenanceMs;
}

function closeCycle(world: WorldState): void {
  payWitnesses(world);
  const cycle = world.network.cycle ?? 0;
  for (const witness of witnessesOf(world)) shareReward(world, witness, cycle);
  if (countVotes(world)) elect(world);
  world.editNetwork().cycle = cycle + 1;
  for (const witness of witnessesOf(world)) {
    const { brokerage, nextBrokerage } = findTally(world, witness);
    if (brokerage !== nextBrokerage) editTally(world, witness).brokerage = nextBrokerage;
  }
}

/** Among the votes that were in force in the cycle. */
function shareReward(world: WorldState, witness: Witness, cycle: number): void {
  const { rewardSun, votes } = findTally(world, witness);
  const address = addressOf(witness);
  const before = rewardPerVote(world, address, cycle - 1);
  const grown = votes > 0n ? (rewardSun * PARTS) / votes : 0n;
  if (before + grown > 0n) world.layer.put(keys.rewardPerVote(address, cycle), before + grown);
  if (rewardSun > 0n) editTally(world, witness).rewardSun = 0n;
}

/** False when none has changed. */
function countVotes(world: WorldState): boolean {
  const changes = world.layer.entries(keys.voteChange()) as Map<string, VoteChange>;
  for (const [key, { before, after }] of changes) {
    for (const { witness, count } of before) add(world, witness, -count);
    for (const { witness, count } of after) add(world, witness, count);
    world.layer.delete(key);
  }
  return changes.size > 0;
}

function add(world: WorldState, address: string, count: bigint): void {
  const witness = findWitness(world, address);
  if (witness) editTally(world, witness).votes += count;
}

/** As many make blocks as before: those with most votes. */
function elect(world: WorldState): void {
  const witnesses = witnessesOf(world);
  const count = witnesses.filter(({ active }) => active).length;
  const elected = new Set(
    byVotes(world)
      .slice(0, count)
      .map(({ number }) => number),
  );
  if (witnesses.every(({ number, active }) => active === elected.has(number))) return;
  const changed = witnesses.map((witness) => {
    const active = elected.has(witness.number);
    return { ...witness, active, silent: active && witness.silent };
  });
  world.layer.put(keys.witnesses, changed);
}
