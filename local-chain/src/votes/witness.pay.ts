import { keys, type WorldState } from '../state/world.state';
import { addressOf, type Witness } from '../witnesses/witness.model';
import { byVotes, editTally, findTally, STANDBY_WITNESSES, witnessesOf } from './witness.tally';

interface Share {
  /** For itself, of its pay for a block. */
  brokerageSun: bigint;
  votersSun: bigint;
}

/** In java-tron's own doubles. */
function shareOf(paySun: bigint, brokerage: number): Share {
  const brokerageSun = BigInt(Math.trunc((brokerage / 100) * Number(paySun)));
  return { brokerageSun, votersSun: paySun - brokerageSun };
}

/** What each block pays to whom by votes; in a cycle it is the same for every block. */
function standbyPay(world: WorldState): Map<number, bigint> {
  const standby = byVotes(world).slice(0, STANDBY_WITNESSES);
  const sum = standby.reduce((votes, witness) => votes + findTally(world, witness).votes, 0n);
  if (sum < 1n) return new Map();
  const eachVote = Number(world.parameters.standbyPaySun) / Number(sum);
  return new Map(
    standby.map((witness) => [witness.number, BigInt(Math.trunc(Number(findTally(world, witness).votes) * eachVote))]),
  );
}

function unpaid(world: WorldState, witness: Witness, standby: ReadonlyMap<number, bigint>): Share {
  const { brokerage, unpaidBlocks } = findTally(world, witness);
  const blocks = BigInt(world.network.unpaidBlocks ?? 0);
  const [byVote, byBlock] = [
    shareOf(standby.get(witness.number) ?? 0n, brokerage),
    shareOf(world.parameters.witnessPaySun, brokerage),
  ];
  return {
    brokerageSun: byVote.brokerageSun * blocks + byBlock.brokerageSun * BigInt(unpaidBlocks),
    votersSun: byVote.votersSun * blocks + byBlock.votersSun * BigInt(unpaidBlocks),
  };
}

/** A witness's own part of blocks that are not paid for yet, as its account already shows it. */
export function unpaidBrokerage(world: WorldState, address: string): bigint {
  if (!world.network.unpaidBlocks) return 0n;
  const witness = witnessesOf(world).find((one) => addressOf(one) === address);
  return witness ? unpaid(world, witness, standbyPay(world)).brokerageSun : 0n;
}

export function noteMaker(world: WorldState, witness: Witness, height: number, slot: number): void {
  const tally = editTally(world, witness);
  tally.unpaidBlocks++;
  tally.produced++;
  tally.latestBlock = height;
  tally.latestSlot = slot;
  const network = world.editNetwork();
  network.unpaidBlocks = (network.unpaidBlocks ?? 0) + 1;
}

/**
 * Pays for all blocks since it was last done: at the end of a cycle, and before anything changes by which they are paid. A node pays with each block;
 * the sums are the same, for a block's pay is whole sun, and alike in a cycle.
 */
export function payWitnesses(world: WorldState): void {
  if (!world.network.unpaidBlocks) return;
  const standby = standbyPay(world);
  const shares = witnessesOf(world).map((witness) => ({ witness, ...unpaid(world, witness, standby) }));
  for (const { witness, brokerageSun, votersSun } of shares) {
    if (votersSun > 0n || brokerageSun > 0n) {
      const tally = editTally(world, witness);
      tally.rewardSun += votersSun;
      tally.unpaidBlocks = 0;
    }
    if (brokerageSun > 0n) collect(world, addressOf(witness), brokerageSun);
  }
  world.editNetwork().unpaidBlocks = 0;
}

/** Into the allowance, from which only a withdrawal takes it. */
export function collect(world: WorldState, address: string, sun: bigint): void {
  if (sun <= 0n || !world.layer.get(keys.account(address))) return;
  const account = world.editAccount(address);
  account.allowanceSun = (account.allowanceSun ?? 0n) + sun;
}
