import type { Configuration } from '../../../../config/configuration';
import {
  canActivateOneMore,
  canPayOneMore,
  ordersPaid,
  TRANSACTIONS_PAID,
  transactionsPaid,
} from '../../../../src/chain/pool/wallets/fees';
import { LENDS } from '../../../../src/chain/pool/wallets/pool-wallet.sql';
import type { WalletRow } from '../../../../src/chain/pool/wallets/wallet-row';
import { DatabaseIdentity } from '../../../../src/database/identity/database-identity';
import { ServicePool } from '../../../../src/database/service-pool';
import { Sql } from '../../../../src/database/sql';
import { statement } from '../../../../src/database/statement';
import { createTestDatabase } from '../../../support/test-database';

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
  let seed = 1;
  const random = (below: number) => BigInt((seed = (seed * 48_271) % 2_147_483_647) % below);

  it('is never more than the network takes, whatever the sizes and however its means are split', () => {
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

  it('is one activation more only beside all those still due', () => {
    // 1 TRX to the new account, and the network's fees for it: 1 TRX and 0.1 TRX.
    const activation = 2_100_000n;
    const pays = (trx: bigint, due: bigint) =>
      canActivateOneMore(wallet({ staked: 9_000n, free: 600n, trx }, due) as WalletRow);
    expect([0n, 1n, 3n].map((due) => pays((due + 1n) * activation, due))).toEqual([true, true, true]);
    expect([0n, 1n, 3n].map((due) => pays((due + 1n) * activation - 1n, due))).toEqual([false, false, false]);
  });

  it('is as much in the statement that lends as in the code that chooses', async () => {
    const wallets = Array.from({ length: 2_000 }, () => {
      const means = wallet({ staked: random(1_500), free: random(601), trx: random(1_500_000) }, random(8));
      // Less in all than is free: a reading of a wallet whose free bytes are used up.
      return random(4) === 0n ? { ...means, bandwidth: random(601) } : means;
    });
    const lending = statement<[wallets: string], { paid: bigint; one: boolean; three: boolean }>(
      'test_lending',
      `with wallet as (
         select place, bandwidth, free_bandwidth, balance_sun, transactions_due,
               'delegate' as role, 'active' as state, 0 as delegable_sun, 0 as reserved_sun
           from json_to_recordset($1::json)
             as w (place bigint, bandwidth bigint, free_bandwidth bigint, balance_sun bigint, transactions_due bigint))
       select ${TRANSACTIONS_PAID('wallet')} as paid, ${LENDS('0', '1')} as one, ${LENDS('0', '3')} as three
         from wallet order by place`,
    );
    const json = JSON.stringify(
      wallets.map((one, place) => ({ ...one, place })),
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
    const database = await createTestDatabase();
    const pool = new ServicePool(database.url);
    const sql = new Sql(pool);
    // As a start does: a database without an identity lends nothing.
    await new DatabaseIdentity(sql, { database: { url: database.url } } as Configuration).onModuleInit();
    const rows = await sql.rows(lending, [json]);
    await pool.end();
    await database.drop();
    expect(rows).toEqual(
      wallets.map((one) => ({
        paid: transactionsPaid(one),
        one: canPayOneMore(one),
        three: ordersPaid(one) >= 3n,
      })),
    );
  });
});
