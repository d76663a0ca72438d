import { Client } from 'pg';
import * as holds from '../../src/billing/hold.statements';
import * as settledHolds from '../../src/billing/settle-hold.statements';
import * as outbox from '../../src/chain/transactions/outbox/chain-transaction.statements';
import * as orders from '../../src/delegation/order.statements';
import * as reclaims from '../../src/delegation/reclaim/reclaim.statements';
import * as pool from '../../src/chain/pool/wallets/pool-wallet.statements';
import type { NamedText } from '../../src/database/statement';
import { TRANSACTION_CHECKS } from '../../src/reconciliation/checks/transaction.checks';
import { breaksTheLedger } from '../support/ledger-consistency';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Rows by the thousand, for their number alone.
breaksTheLedger();

const ORDERS = 10_000;
const id = (at: string) => `lpad((${at})::text, 32, '0')::uuid`;

/** What a service that is new has after its first minutes, before autovacuum has counted its rows. */
const FILL = [
  'set session_replication_role = replica',
  ...['delegations', 'chain_transactions', 'holds'].map(
    (table) => `alter table ${table} set (autovacuum_enabled = off)`,
  ),
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id,
     stake_sun, cost_sun, paid_by, answer, reclaim_due_at)
   select ${id('n')}, ${id('n % 50')}, 'T' || n, '1', 65000, 10, false, 'delegated', ${id('1')}, 1, 1, 'balance', 'success', now()
     from generate_series(1, ${ORDERS}) n`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, signature,
     expiration_ms, ref_block_number, state)
   select lpad(to_hex(n), 64, '0'), 'delegation', 'order', ${id('n')}, ${id('1')}, 'T' || n, 1, decode(repeat('00', 200), 'hex'), decode(repeat('00', 65), 'hex'),
     1, 1, case when n % 20 = 0 then 'sent' else 'final' end from generate_series(1, ${ORDERS}) n`,
  `insert into holds (delegation_id, user_id, amount_sun, state) select ${id('n')}, ${id('n % 50')}, 1, 'taken' from generate_series(1, ${ORDERS}) n`,
];

/** Then all of them fall due. */
const TAKEN_BACK = [
  'analyze',
  `update delegations set state = 'reclaimed', delegation_block = 1, reclaimed_at = now()`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, signature,
     expiration_ms, ref_block_number, state, block_number)
   select lpad(to_hex(n + ${ORDERS}), 64, '0'), 'reclaim', 'order', ${id('n')}, ${id('1')}, 'T' || n, 1, decode(repeat('00', 200), 'hex'),
     decode(repeat('00', 65), 'hex'), 1, 1, 'final', 2 from generate_series(1, ${ORDERS}) n`,
];

const CHECKS = TRANSACTION_CHECKS.map(({ statement }) => statement);

const STATEMENTS = [holds, settledHolds, outbox, orders, pool, reclaims, CHECKS]
  .flatMap((file) => Object.values(file) as unknown[])
  .filter((one): one is NamedText => typeof one === 'object' && one !== null && 'text' in one)
  .map(({ name, text }) => [name, text] as const);

describe('tables that have grown before PostgreSQL has statistics of them', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    for (const text of FILL) await client.query(text);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function planOf(text: string): Promise<string[]> {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
    return rows.map((row) => row['QUERY PLAN']);
  }

  it.each(STATEMENTS)('%s reads none of them from one end to the other', async (_, text) => {
    const plan = await planOf(text);
    expect(plan.filter((line) => /Seq Scan on (delegations|chain_transactions|holds)\b/.test(line))).toEqual([]);
  });

  describe('or has those from before the first of many reclaims', () => {
    beforeAll(async () => {
      for (const text of TAKEN_BACK) await client.query(text);
    });

    it.each(STATEMENTS)('%s compares no order with the transactions of all', async (_, text) => {
      const plan = await planOf(text);
      expect(plan.filter((line) => /Join Filter: .*\bt\.subject_id = /.test(line))).toEqual([]);
    });
  });
});
