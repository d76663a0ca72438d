import { Client } from 'pg';
import { until } from './until';

const SNAPSHOTS = `select 1 from pg_stat_activity
   where datname = current_database() and pid <> pg_backend_pid() and (backend_xmin is not null or backend_xid is not null)`;

/** So many of everything that a list shows. */
export async function fillTables(databaseUrl: string, userId: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Rows that no sweep will settle: foreign keys are right by construction, and checking each takes most of the time.
    await client.query('set session_replication_role = replica');
    await client.query('set synchronous_commit = off');
    await client.query(`set maintenance_work_mem = '256MB'`);
    // A table emptied in the transaction that fills it is filled without the WAL: 0.3 GB of it instead of 2.
    await client.query('begin');
    await client.query(`truncate ${MOST_OF_IT} cascade`);
    await withoutIndexes(client, async () => {
      for (const statement of STATEMENTS) await client.query(statement, [userId, rows]);
    });
    await client.query('commit');
    // An older snapshot, autovacuum's own for one, keeps rows from being marked as visible to all: a count would read each of them.
    await until('no snapshot from before', async () => (await client.query(SNAPSHOTS)).rows.length === 0);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Drops the indexes that no key needs while `fill` runs: built in the end, from sorted rows, they cost a fraction. */
async function withoutIndexes(client: Client, fill: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(PLAIN_INDEXES);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await client.query(definition);
}

const PLAIN_INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
   where c.relnamespace = 'public'::regnamespace
     and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`;

const MOST_OF_IT = 'delegations, chain_transactions, ledger_entries, holds, findings, delegation_events, audit_log';

const WALLET = '00000000-0000-7000-8000-000000000001';
const id = (prefix: string) => `(lpad('${prefix}', 8, '0') || '-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
/** The newest are of the last hour and still open; the others go back over two years. */
const open = `n > $2::bigint - 5000`;
const at = `case when ${open} then now() - ($2::bigint - n) * interval '0.7 seconds'
                 else now() - interval '1 day' - ($2::bigint - n) * interval '1 minute' end`;
const receiver = `'T' || lpad((n % 5000)::text, 33, '0')`;

const STATEMENTS = [
  `insert into pool_wallets (id, name, address, role, key_source, observed_block)
   select '${WALLET}', 'filled', 'filled', 'delegate', 'env:NONE', $2::bigint where $1::uuid is not null and $2::bigint > 0`,
  `insert into users (id, email, name, created_at)
   select ${id('b')}, 'user' || n || '@example.com', 'User ' || n, ${at}
     from generate_series(1, $2::bigint / 2) n where $1::uuid is not null`,
  `insert into accounts (user_id) select ${id('b')} from generate_series(1, $2::bigint / 2) n where $1::uuid is not null`,
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id,
     stake_sun, cost_sun, paid_by, answer, created_at, delegated_at, reclaim_due_at, reclaimed_at, delegation_block)
   select ${id('d')}, case when n % 2 = 0 then $1::uuid else ${id('b').replace('n::text', '(1 + n % ($2::bigint / 2))::text')} end,
          ${receiver}, '1', 65000, 10, false, case when n % 10000 = 0 then 'failed' when ${open} then 'delegated' else 'reclaimed' end, '${WALLET}',
          1000000, 3000000, 'balance', 'success', ${at}, ${at}, ${at} + interval '1 hour', case when not ${open} then ${at} end, n
     from generate_series(1, $2::bigint) n`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data,
     expiration_ms, ref_block_number, state)
   select lpad(to_hex(n), 64, '0'), 'delegation', 'order', ${id('d')}, '${WALLET}', ${receiver}, 1, '', 1, 1, 'final'
     from generate_series(1, $2::bigint) n where $1::uuid is not null`,
  `insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, note)
   select $1, ${at}, 'credit', 1, n, 'filled' from generate_series(1, $2::bigint) n`,
  `insert into api_tokens (id, user_id, name, prefix, hash, permissions, created_at)
   select ${id('a')}, $1, 'token ' || n, 'eds_filled', decode(md5(n::text), 'hex'), '{balance}', ${at}
     from generate_series(1, $2::bigint / 5) n`,
  `insert into subscriptions (id, user_id, quota_energy, valid_from, valid_until)
   select ${id('c')}, $1, 65000, ${at}, ${at} from generate_series(1, $2::bigint / 5) n`,
  `insert into holds (delegation_id, user_id, amount_sun, state, created_at)
   select ${id('d')}, case when n % 2 = 0 then $1::uuid else ${id('b').replace('n::text', '(1 + n % ($2::bigint / 2))::text')} end,
          1, case when ${open} then 'held' else 'taken' end, ${at} from generate_series(1, $2::bigint) n`,
  `insert into findings (kind, subject, reason, next_step, first_seen_at, last_seen_at, resolved_at)
   select 'filled', 'finding ' || n, 'filled', 'none', ${at}, ${at}, case when n % 1000 > 0 then ${at} end
     from generate_series(1, $2::bigint) n where $1::uuid is not null`,
  `insert into delegation_events (delegation_id, at, kind, detail)
   select '0000000d-0000-7000-8000-000000000002'::uuid, ${at}, 'reclaim failed', '{"reason": "filled"}'
     from generate_series(1, $2::bigint) n where $1::uuid is not null`,
  `insert into audit_log (actor_id, address, action, subject, outcome)
   select $1, '', 'filled', 'user ' || n % 1000, 'done' from generate_series(1, $2::bigint) n`,
];
