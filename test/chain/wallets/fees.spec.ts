import { canPayOneMore, ordersPaid, transactionsPaid } from '../../../src/chain/wallets/fees';

interface Means {
  readonly staked: bigint;
  readonly free: bigint;
  readonly trx: bigint;
}

const wallet = ({ staked, free, trx }: Means, due = 0n) => ({
  bandwidth: staked + free,
  free_bandwidth: free,
  balance_sun: trx,
  transactions_due: due,
});

/** How many of these transactions the network takes, one after the other. */
function taken({ staked, free, trx }: Means, sizes: readonly bigint[]): number {
  const left = { staked, free, trx };
  const refused = sizes.findIndex((bytes) => {
    if (bytes <= left.staked) left.staked -= bytes;
    else if (bytes <= left.free) left.free -= bytes;
    else if (bytes * 1_000n <= left.trx) left.trx -= bytes * 1_000n;
    else return true;
    return false;
  });
  return refused === -1 ? sizes.length : refused;
}

describe('what a wallet can pay for', () => {
  it('is never more than the network takes, whatever the sizes and however its means are split', () => {
    let seed = 1;
    const random = (below: number) => BigInt((seed = (seed * 48_271) % 2_147_483_647) % below);
    for (let run = 0; run < 2_000; run++) {
      const means = { staked: random(1_500), free: random(601), trx: random(1_500_000) };
      const paid = Number(transactionsPaid(wallet(means)));
      const sizes = Array.from({ length: paid }, () => 277n + random(24));
      expect({ means, taken: taken(means, sizes) }).toEqual({ means, taken: paid });
    }
  });

  it('is nothing while no part alone pays for a transaction, however much they are together', () => {
    const means = { staked: 299n, free: 299n, trx: 299_999n };
    expect(transactionsPaid(wallet(means))).toBe(0n);
    expect([canPayOneMore(wallet(means)), ordersPaid(wallet(means))]).toEqual([false, 0n]);
  });

  it('leaves what is still due', () => {
    const means = { staked: 900n, free: 599n, trx: 0n };
    expect(canPayOneMore(wallet(means, 2n))).toBe(true);
    expect(canPayOneMore(wallet(means, 3n))).toBe(false);
    expect([0n, 2n, 3n, 9n].map((due) => ordersPaid(wallet(means, due)))).toEqual([2n, 1n, 0n, 0n]);
  });
});
