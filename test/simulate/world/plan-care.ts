import type { SeededRandom } from '../kernel/seeded-random';
import { type Action, type PlannedCare, TROUBLE_MS } from './plan';

const MOST_ACTS = 5;

/** Half of these wallets have so few TRX that a freeze could take what their orders' reclaims need. */
export function planCare(random: SeededRandom): PlannedCare {
  const isTight = random.chance(0.5);
  return {
    trx: isTight ? 12 + random.below(40) : 2_000 + random.below(2_000),
    keepLiquidTrx: isTight ? 0 : random.pick([0, 500, 1_500]),
    restakes: random.chance(0.7),
    rewardTrx: random.chance(0.8) ? 3 + random.below(30) : 0,
  };
}

/** Rewards come, an operator freezes and unfreezes through the service, and the owner acts with the wallet's key beside it. */
export function planStakeActs(
  random: SeededRandom,
  cares: readonly (PlannedCare | null)[],
  instances: number,
): Action[] {
  const wallets = [...cares.keys()].filter((wallet) => cares[wallet] !== null);
  const some = (most: number, make: (atMs: number) => Action) =>
    Array.from({ length: random.below(most + 1) }, () => make(Math.floor(random.between(5_000, TROUBLE_MS))));
  const wallet = () => random.pick(wallets);
  return [
    ...some(MOST_ACTS, (atMs) => ({ atMs, kind: 'reward', wallet: wallet(), trx: 3 + random.below(30) })),
    ...some(MOST_ACTS, (atMs) => ({
      atMs,
      kind: 'stake-operation',
      instance: random.below(instances),
      wallet: wallet(),
      does: random.pick(['freeze', 'unfreeze', 'unfreeze']),
      resource: random.pick(['energy', 'energy', 'bandwidth']),
      part: random.between(0.02, 1),
    })),
    ...some(MOST_ACTS, (atMs) => ({
      atMs,
      kind: 'by-hand',
      wallet: wallet(),
      // An unfreezing pauses the wallet, so there are few.
      does: random.pick(['vote', 'vote', 'vote', 'vote', 'claim', 'claim', 'freeze', 'withdraw', 'unfreeze']),
      part: random.between(0.01, 1),
    })),
  ];
}
