import '../../src/app.module';
import { Client } from 'pg';
import { statementTexts } from '../../src/database/statement';
import { breaksTheLedger } from '../support/ledger-consistency';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Rows by the hundred thousand, for their number alone.
breaksTheLedger();

const ORDERS = 100_000;
/** Lent still; all others are taken back. */
const LENT = 700;
/** So many of these are not settled yet. */
const OPEN = 50;
const id = (at: string) => `lpad((${at})::text, 32, '0')::uuid`;
const at = `now() - (${ORDERS} - n) * interval '20 seconds'`;
const TABLES = [
  'delegations',
  'chain_transactions',
  'delegation_events',
  'holds',
  'ledger_entries',
  'api_tokens',
  'findings',
  'audit_log',
  'webhook_deliveries',
  'refused_attempts',
  'subscriptions',
  'order_keys',
  'token_days',
  'receipt_headers',
  'receipt_shares',
  'order_days',
  'webhook_events',
] as const;

/**
 * What a service has after a month of business: statistics, but not vacuumed since so many rows were written and changed that an index
 * alone does not answer.
 */
const FILL = [
  'set session_replication_role = replica',
  'set synchronous_commit = off',
  ...TABLES.map((table) => `alter table ${table} set (autovacuum_enabled = off)`),
  `insert into pool_wallets (id, name, address, role, key_source, observed_block, observed_at)
   select ${id('n')}, 'w' || n, 'w' || n, 'delegate', 'env:NONE', ${ORDERS - 20}, now() from generate_series(0, 2) n`,
  `insert into users (id, email, name) select ${id('n')}, n || '@example.com', 'u' from generate_series(0, 20000) n`,
  `insert into accounts (user_id) select ${id('n')} from generate_series(0, 20000) n`,
  `insert into api_tokens (id, user_id, name, prefix, hash, permissions)
   select ${id('n')}, ${id('n')}, 't', 'p', decode(md5(n::text), 'hex'), '{balance}' from generate_series(0, 20000) n`,
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, activates, state, wallet_id, stake_sun,
     cost_sun, paid_by, answer, reclaim_due_at, delegation_block, delegated_at, reclaimed_at, created_at)
   select ${id('n')}, ${id('n % 50')}, 'T' || n % 5000, '1', 65000, 10, n % 50 = 0, n % 50 = 0,
     case when n > ${ORDERS - OPEN} then 'sent' when n > ${ORDERS - LENT} then 'delegated'
          when n % 100 = 1 then 'failed' when n % 1000 = 2 then 'taken_back' else 'reclaimed' end, ${id('n % 3')}, 1, 1, 'balance', 'success',
     ${at} + interval '1 hour', n, ${at}, case when n <= ${ORDERS - LENT} then ${at} + interval '1 hour' end, ${at}
   from generate_series(1, ${ORDERS}) n`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms, ref_block_number,
     state, block_number)
   select md5(purpose || n) || md5(n || purpose), purpose, 'order', ${id('n')}, ${id('n % 3')}, 'T' || n % 5000, 1, '', 1, 1,
     case when n > ${ORDERS - OPEN} then 'sent' when n % 100 = 1 then 'dead' else 'final' end, n
   from generate_series(1, ${ORDERS}) n, unnest(array['activation', 'delegation', 'reclaim']) purpose
   where case purpose when 'activation' then n % 50 = 0 when 'reclaim' then n <= ${ORDERS - LENT} else true end`,
  `insert into delegation_events (delegation_id, at, kind, detail)
   select ${id('n')}, ${at}, kind, '{}'
   from generate_series(1, ${ORDERS}) n, unnest(array['ordered', 'sent', 'delegated', 'reclaimed']) kind`,
  `insert into holds (delegation_id, user_id, amount_sun, state)
   select ${id('n')}, ${id('n % 50')}, 1, case when n > ${ORDERS - OPEN} then 'held' else 'taken' end from generate_series(1, ${ORDERS}) n`,
  `insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, delegation_id)
   select ${id('n % 50')}, ${at}, 'charge', -1, n, ${id('n')} from generate_series(1, ${ORDERS}) n`,
  `insert into findings (kind, subject, subject_type, subject_id, reason, next_step, first_seen_at, last_seen_at, resolved_at)
   select 'token_used', 'f' || n, 'token_day', n, 'r', 's', ${at}, ${at}, case when n % 500 > 0 then ${at} end
   from generate_series(1, ${ORDERS}) n`,
  `insert into audit_log (actor_id, address, action, subject, outcome)
   select ${id('0')}, '', 'a', 'user ' || n % 1000, 'done' from generate_series(1, ${ORDERS}) n`,
  `insert into webhooks (id, user_id, url, secret) select ${id('n')}, ${id('n')}, 'u', 's' from generate_series(1, 20000) n`,
  `insert into webhook_events (body, created_at) select '{}', ${at} from generate_series(1, ${ORDERS}) n`,
  `insert into webhook_deliveries (id, webhook_id, event, event_id, state, next_at, created_at)
   select ${id('n')}, ${id('n % 50')}, 'delegation.delegated', n, case when n % 1000 = 0 then 'pending' else 'delivered' end,
     case when n % 1000 = 0 then ${at} end, ${at}
   from generate_series(1, ${ORDERS}) n`,
  `insert into refused_attempts (user_id, token_id, first_at, last_at, times, code)
   select ${id('n % 50')}, ${id('n % 50')}, ${at}, ${at}, 1, 'c' from generate_series(1, ${ORDERS}) n`,
  `insert into subscriptions (id, user_id, quota_energy, valid_until)
   select ${id('n')}, ${id('n % 20000')}, 1, ${at} from generate_series(1, ${ORDERS}) n`,
  `insert into order_keys (key, delegation_id) select sha256(n::text::bytea), ${id('n')} from generate_series(1, ${ORDERS}) n`,
  `insert into token_days (token_id, day, used_sun)
   select ${id('n % 20000')}, current_date - n / 20000, 1 from generate_series(1, ${ORDERS}) n`,
  `insert into receipt_headers (number, header, signature) select n, '', '' from generate_series(1, ${ORDERS}) n`,
  `insert into receipt_shares (key, delegation_id, created_at) select md5(n::text), ${id('n')}, ${at} from generate_series(1, ${ORDERS}) n`,
  `insert into closed_order_days (day) select current_date - n from generate_series(1, 400) n`,
  `insert into order_days (day, user_id, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
   select current_date - 1 - n / 250, ${id('n % 250')}, 'balance', 1, 1, 0, 1, 1, 1, 0, 0 from generate_series(0, ${ORDERS} - 1) n`,
];

/** Makes the tables a hundred times as large on the same pages: each costs the planner more to read, and more than it does. */
const GROWN = 100;
const GROW = `update pg_class set reltuples = reltuples * ${GROWN}
  where oid in (select unnest($1::text[])::regclass union select indexrelid from pg_index where indrelid = any($1::text[]::regclass[]))`;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

describe('tables that have grown and were not vacuumed lately', () => {
  let database: TestDatabase;
  let client: Client;
  let partial: ReadonlySet<string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    for (const text of FILL) await client.query(text);
    // Rows are where their last change has put them.
    await client.query(`update delegations set attempts = 1 where substr(receiver, 2)::integer % 3 = 0`);
    await client.query('analyze');
    const { rows } = await client.query<{ name: string }>(
      'select indexrelid::regclass::text as name from pg_index where indpred is not null',
    );
    partial = new Set(rows.map(({ name }) => name));
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Read from end to end: the table itself, or an index of all its rows that is not asked for some of them. */
  function readings(plan: Plan, isLimited = false): string[] {
    const {
      'Node Type': type,
      'Relation Name': table,
      'Index Name': index,
      'Index Cond': condition,
      Filter: filter,
    } = plan;
    const all =
      type === 'Seq Scan' ||
      (type.startsWith('Index') &&
        condition === undefined &&
        !partial.has(index!) &&
        !(isLimited && filter === undefined));
    const own = all && TABLES.some((one) => one === table) ? [`${type} of ${index ?? table}: ${filter}`] : [];
    return [...own, ...(plan.Plans ?? []).flatMap((child) => readings(child, isLimited || type === 'Limit'))];
  }

  /** They end early, which their plans do not show, or are meant for all rows. */
  const NOT_JUDGED = new Map([
    ['database_identity_claim', 'whether there is any row, at a start'],
    ['finding_list', 'one page, for a person who asks for open findings alone or for all'],
    ['reconcile_next_mark', 'the newest row that is ten minutes old'],
    ['token_revoke_all', 'an operator who goes on with a restored database'],
  ]);
  const statements = [...statementTexts].filter(([name]) => !NOT_JUDGED.has(name));
  async function readsNone(text: string): Promise<void> {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    expect(readings(rows[0]!['QUERY PLAN'][0].Plan)).toEqual([]);
  }
  it.each(statements)('%s reads none of them from one end to the other', (_, text) => readsNone(text));

  describe('with ten million orders', () => {
    beforeAll(async () => {
      await client.query(GROW, [TABLES]);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
        'explain (format json) select 1 from delegations',
      );
      expect(rows[0]!['QUERY PLAN'][0].Plan['Plan Rows']).toBeGreaterThan((ORDERS * GROWN) / 2);
    });

    it.each(statements)('%s still reads none of them from one end to the other', (_, text) => readsNone(text));
  });
});
