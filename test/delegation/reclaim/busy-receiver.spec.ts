import '../../../src/app.module';
import { Client } from 'pg';
import { statementTexts } from '../../../src/database/statement';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Orders by the ten thousand, for their number alone.
breaksTheLedger();

const ORDERS = 30_000;
const id = (at: string) => `lpad((${at})::text, 32, '0')::uuid`;
const WALLET = `'00000000-0000-0000-0000-000000000001'`;
const RECEIVER = `'T' || repeat('r', 33)`;
/** Lent still, of the newest. */
const LENT = 20;
const FILL = [
  'set session_replication_role = replica',
  `insert into pool_wallets (id, name, address, role, key_source) values (${WALLET}, 'w', 'w', 'delegate', 'env:NONE')`,
  `insert into users (id, email, name) values (${id('0')}, 'u@example.com', 'u')`,
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun, paid_by,
     answer, delegation_block, reclaimed_at, created_at)
   select ${id('n')}, ${id('0')}, ${RECEIVER}, '1', 65000, 10, false, case when n > ${ORDERS - LENT} then 'delegated' else 'reclaimed' end,
     ${WALLET}, 1000, 1, 'balance', 'success', n, case when n <= ${ORDERS - LENT} then now() - interval '1 day' end, now() - interval '1 day'
   from generate_series(1, ${ORDERS}) n`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms, ref_block_number, state, block_number)
   select md5(purpose || n), purpose, 'order', ${id('n')}, ${WALLET}, ${RECEIVER}, 1, '', 1, 1, 'final', case purpose when 'reclaim' then n + 1200 else n end
   from generate_series(1, ${ORDERS}) n, unnest(array['delegation', 'reclaim']) purpose
   where purpose = 'delegation' or n <= ${ORDERS - LENT}`,
  'vacuum analyze',
  // As a statement that is planned once for all receivers.
  'set plan_cache_mode = force_generic_plan',
];

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

describe('a receiver with very many orders', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client(database.url);
    await client.connect();
    for (const text of FILL) await client.query(text);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const WALLET_ID = '00000000-0000-0000-0000-000000000001';
  const RECEIVER_ADDRESS = `T${'r'.repeat(33)}`;
  it.each([
    ['reclaim_pair', [WALLET_ID, RECEIVER_ADDRESS, WALLET_ID]],
    ['audit_lent_pair', [String(ORDERS + 2_000), 'w', RECEIVER_ADDRESS]],
  ])('costs %s no look at each of them', async (name, values) => {
    await client.query(`prepare ${name} as ${statementTexts.get(name)!}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute ${name} (${values.map((value) => `'${value}'`).join(', ')})`,
    );
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = rows[0]!['QUERY PLAN'][0].Plan;
    expect(hit + read).toBeLessThan(500);
  });

  it('shows the newest final block of the two, and what the others have lent', async () => {
    const { rows } = await client.query(`execute reclaim_pair (${WALLET}, ${RECEIVER}, ${id('1')})`);
    expect(rows).toEqual([
      {
        in_flight: '0',
        is_stuck: false,
        lent_by_others_sun: String(LENT * 1000),
        settled_block: String(ORDERS - LENT + 1200),
      },
    ]);
  });
});
