import type { SeededRandom } from '../kernel/seeded-random';
import type { NodeLie } from '../network/node-lies';
import { XPUB } from '../../support/deposit-account';
import { type Action, type Payment, TROUBLE_MS, WAYS_TO_PAY } from './plan';

export const FALSE_BLOCKS = 'payments under no root' satisfies NodeLie;
export const RATE_MAX_AGE_MS = 50_000;
export const LEAST_UNITS = { TRX: 1_000_000n, USDT: 10_000_000n } as const;
export const DEPOSIT_SETTINGS: Readonly<Record<string, string>> = {
  DEPOSIT_XPUB: XPUB,
  DEPOSIT_RATE_MAX_AGE: `${RATE_MAX_AGE_MS / 1_000}s`,
};

/** Customers pay, some of it in a way that counts for nothing, and an operator sets rates, some of them too late. */
export function planDeposits(random: SeededRandom, users: number): Action[] {
  // A stranger's act pauses the wallet: few histories have one.
  const ways = random.chance(0.15) ? WAYS_TO_PAY : WAYS_TO_PAY.filter((way) => way !== 'from a pool wallet');
  const payments = Array.from({ length: 4 + random.below(12) }, (): Action[] => {
    const atMs = Math.floor(random.between(3_000, TROUBLE_MS));
    // Several at one moment share a block.
    const count = random.chance(0.3) ? 2 + random.below(3) : 1;
    return Array.from({ length: count }, () => ({ atMs, kind: 'payment', payment: planPayment(random, users, ways) }));
  });
  const rates = Array.from({ length: 1 + random.below(4) }, (_, at): Action => {
    const atMs = at === 0 ? 0 : Math.floor(random.between(3_000, TROUBLE_MS));
    return { atMs, kind: 'rate', sunPerUsdt: random.chance(0.15) ? null : 2_500_000 + random.below(1_500_000) };
  });
  return [...rates, ...payments.flat()];
}

function planPayment(random: SeededRandom, users: number, ways: readonly Payment['way'][]): Payment {
  const asset = random.pick(['TRX', 'USDT'] as const);
  const isDust = random.chance(0.15);
  const least = Number(LEAST_UNITS[asset]);
  return {
    user: random.below(users),
    asset,
    units: isDust ? 1 + random.below(least - 1) : least + random.below(60 * least),
    way: random.chance(0.5) ? 'plainly' : random.pick(ways),
  };
}

/** One of two nodes shows in each block more than its root proves. */
export function planFalseBlocks(random: SeededRandom): Action {
  return {
    atMs: Math.floor(random.between(0, TROUBLE_MS / 2)),
    kind: 'node-lies',
    node: random.below(2),
    lie: FALSE_BLOCKS,
  };
}
