import type { Sql } from '../../src/database/sql';

const ORDER_ID = `md5('past ' || n)::uuid`;
const STAKE = 6_861_111_113;
const PART = 20_000;

/** Settled and taken back long ago, with all their rows, for one user who pays for them. `$1` orders, `$2` user, `$3` wallet. */
const ROWS = [
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
     cost_sun, paid_by, answer, answer_code, answered_at, delegation_block, delegated_at, reclaim_due_at, reclaimed_at, created_at)
   select ${ORDER_ID}, $2, 'TPast' || n, '1', 65000, 10, false, 'reclaimed', $3, ${STAKE}, 3000000, 'balance', 'success',
     'included', at, 0, at, at, at, at
   from (select n, now() - interval '2 days' - n * interval '1 second' as at from generate_series(1, $1::integer) n) o`,
  `insert into holds (delegation_id, user_id, amount_sun, state)
   select ${ORDER_ID}, $2, 3000000, 'taken' from generate_series(1, $1::integer) n`,
  `insert into ledger_entries (user_id, kind, amount_sun, balance_sun)
   select $2, 'credit', 3000000::bigint * $1::integer, a.balance_sun + 3000000::bigint * $1::integer from accounts a where a.user_id = $2`,
  `insert into ledger_entries (user_id, kind, amount_sun, balance_sun, delegation_id)
   select $2, 'charge', -3000000, a.balance_sun + 3000000::bigint * ($1::integer - n), ${ORDER_ID}
     from generate_series(1, $1::integer) n, accounts a where a.user_id = $2 order by n`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data,
     expiration_ms, ref_block_number, state, block_number)
   select encode(sha256((purpose || n)::bytea), 'hex'), purpose, 'order', ${ORDER_ID}, $3, 'TPast' || n, ${STAKE}, '', 0, 0,
     'final', 0
   from generate_series(1, $1::integer) n, unnest(array['delegation', 'reclaim']) purpose`,
];

export async function insertPastOrders(sql: Sql, count: number, userId: string, walletId: string): Promise<void> {
  const values = [count, `'${userId}'`, `'${walletId}'`];
  for (const [index, row] of ROWS.entries()) {
    const text = row.replace(/\$(\d)/g, (_, number: string) => String(values[Number(number) - 1]));
    const all = `generate_series(1, ${count}::integer)`;
    // In parts, each within the time that a statement has.
    for (let from = 1; from <= (text.includes(all) ? count : 1); from += PART) {
      const part = text.replace(all, `generate_series(${from}, ${Math.min(count, from + PART - 1)}::integer)`);
      await sql.transaction(async (tx) => {
        // The ledger's entries would have to be written with the balance that they make.
        await tx.execute({ name: '', text: 'set local session_replication_role = replica' });
        await tx.execute({ name: `test_past_orders_${index}_${from}_${userId}`, text: part });
      });
    }
  }
}

/** The id of the n-th past order. */
export const PAST_ORDER = (n: number) => `md5('past ${n}')::uuid`;
