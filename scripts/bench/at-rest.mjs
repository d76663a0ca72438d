// npm run bench -- --at-rest N: what N orders of one caller cost on disk once they are over, and how fast that caller finds them by state.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { load } from '../scratch-database.mjs';
import { startPostgres } from './servers.mjs';

const CHUNK = 20_000;
const TIMES = 15;
const STATES = [
  'pending',
  'sent',
  'included',
  'delegated',
  'reclaiming',
  'reclaimed',
  'failed',
  'taking_back',
  'taken_back',
];

/** `$1` chunk, `$2` user, `$3` wallet: all rows of orders that were charged and taken back, as the service leaves them. */
const ORDER = `md5('order ' || n)`;
const N = `generate_series($1::bigint * ${CHUNK} + 1, ($1::bigint + 1) * ${CHUNK}) n`;
const BEGAN = new Date(Date.now() - 400 * 86_400_000).toISOString();
const AT = `('${BEGAN}'::timestamptz + n * interval '30 seconds')`;
/** As version 7 makes them: by time, then by chance. */
const ID = `(lpad(to_hex((extract(epoch from ${AT}) * 1000)::bigint), 12, '0') || '7' || substr(${ORDER}, 14, 3) || '8' || substr(${ORDER}, 18, 15))::uuid`;
const RECEIVER = `'T' || substr(md5('receiver ' || n % 50000), 1, 32) || 'z'`;
/** One of a hundred was taken back unpaid. */
const STATE = `case when n % 100 = 0 then 'taken_back' else 'reclaimed' end`;
const NODES = `jsonb_build_object('tx', n * 2 + side, 'nodes', jsonb_build_array(jsonb_build_object('node', 'https://api.trongrid.io')))`;
const BLOCK = `jsonb_build_object('tx', n * 2 + side, 'block', 80000000 + n / 10)`;
const EVENTS = [
  ['ordered', `'{}'`, 0],
  ['delegation sent', NODES, 0],
  ['included', BLOCK, 0],
  ['answered', `'{}'`, 0],
  ['delegated', BLOCK, 0],
  ['reclaim sent', NODES, 1],
  ['reclaim included', BLOCK, 1],
  ['reclaimed', BLOCK, 1],
];

/** The branch in a block with some 200 transactions, as mainnet has them: eight steps. */
const BRANCH = `(select string_agg('\\x01'::bytea || sha256(('branch ' || n || step)::bytea), '') from generate_series(1, 8) step)`;

const LEFT = [
  // Ten orders a block, and a block with orders after the other: each header is in the receipts of 20 blocks, and is there once.
  `insert into receipt_headers (number, header, signature)
   select number, decode(repeat(md5('header ' || number), 6) || repeat('ab', 11), 'hex'), decode(repeat(md5('signature ' || number), 4) || '00', 'hex')
     from (select distinct 80000000 + n / 10 as number from ${N} where $2::uuid is not null and $3::uuid is not null) blocks
   on conflict do nothing`,
  `insert into holds (delegation_id, user_id, amount_sun, state, created_at, settled_at)
   select ${ID}, $2, 3000000, case when n % 100 = 0 then 'released' else 'taken' end, ${AT}, ${AT} from ${N} where $3::uuid is not null`,
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state, wallet_id, stake_sun,
     cost_sun, paid_by, answer, answer_code, answered_at, delegation_block, delegated_at, reclaim_due_at, reclaimed_at, epoch, claim_ms, created_at)
   select ${ID}, $2, ${RECEIVER}, '1', 65000, 10, false, md5('key ' || n)::uuid::text, ${STATE}, $3, 7735505557, 3000000, 'balance',
     'success', 'included', ${AT}, 80000000 + n / 10, ${AT}, ${AT}, ${AT}, 1, 30000, ${AT} from ${N}`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, tail, branch, expiration_ms, ref_block_number, state, resend, block_number, block_id, block_time_ms, created_at)
   select encode(sha256((purpose || n)::bytea), 'hex'), purpose, 'order', ${ID}, $3, ${RECEIVER}, 7735505557,
     decode(repeat(md5('raw ' || n || purpose), 9) || 'abcdef', 'hex'),
     case when purpose = 'delegation' then decode('1241' || repeat(md5('signature ' || n), 4) || '1c2a021801', 'hex') end,
     case when purpose = 'delegation' then ${BRANCH} end, 1795356812103, 80000000 + n / 10, 'final', false, 80000000 + n / 10, encode(sha256((n / 10)::text::bytea), 'hex'), 1795356812103, ${AT}
     from ${N}, unnest(array['delegation', 'reclaim']) purpose where $2::uuid is not null`,
  ...EVENTS.map(
    ([kind, detail, side]) => `insert into delegation_events (delegation_id, kind, detail, at)
     select ${ID}, '${kind}', ${detail}, ${AT} from ${N}, (values (${side})) s (side) where $2::uuid is not null and $3::uuid is not null`,
  ),
  `insert into ledger_entries (user_id, kind, amount_sun, balance_sun, delegation_id, at)
   select $2, 'charge', -3000000, 1000000000000 - n, ${ID}, ${AT} from ${N} where $3::uuid is not null`,
];
/** States that a look-up has to find among the million others: a handful of each. */
const UNCOMMON = ['pending', 'sent', 'included', 'delegated', 'reclaiming', 'failed', 'taking_back'].map(
  (state, turn) =>
    `update delegations set state = '${state}' where id in (select ${ID} from generate_series(${turn} + 1, $1::bigint, $1::bigint / 5) n)`,
);

/** `$1` chunk, `$2` user, `$3` wallet, `$4`: the last order that was taken back. A caller of whose orders all later ones failed. */
const FAILED = `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
     cost_sun, paid_by, answer, answer_code, answered_at, epoch, claim_ms, created_at)
   select ${ID}, $2, ${RECEIVER}, '1', 65000, 10, false, case when n <= $4 then 'reclaimed' else 'failed' end, $3, 7735505557, 3000000, 'balance',
     'failure', 'OUTCOME_UNKNOWN', ${AT}, 1, 30000, ${AT} from ${N}`;
const FEW = 10;

export async function measureAtRest(count) {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const [user, failing, wallet] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [user, failing]) {
    await client.query(`insert into users (id, email, name) values ($1, $2, 'bench')`, [id, `${id}@example.com`]);
    await client.query('insert into accounts (user_id) values ($1)', [id]);
  }
  await client.query(
    `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'bench', 'bench', 'delegate', 'env:NONE')`,
    [wallet],
  );
  // Entries of days that are over, for their number alone.
  await client.query('alter table ledger_entries disable trigger user');
  const chunks = Math.ceil(count / CHUNK);
  for (let chunk = 0; chunk < chunks; chunk++) {
    for (const text of LEFT) await client.query(text, [chunk, user, wallet]);
    process.stderr.write(`${(chunk + 1) * CHUNK} orders\n`);
  }
  for (const text of UNCOMMON) await client.query(text, [count]);
  const orders = chunks * CHUNK;
  await client.query('vacuum analyze');
  const relations = await sizes(client, orders);
  for (let chunk = chunks; chunk < 2 * chunks; chunk++)
    await client.query(FAILED, [chunk, failing, wallet, orders + FEW]);
  await client.query('vacuum analyze delegations');
  const lookups = await lookUp(server.url, user, failing);
  await client.end();
  return report(orders, relations, lookups);
}

async function sizes(client, orders) {
  const { rows } = await client.query(
    `select c.relname as name, c.relkind = 'i' as is_index, pg_relation_size(c.oid)::float8 / $1 as bytes
       from pg_class c left join pg_index i on i.indexrelid = c.oid
      where coalesce(i.indrelid, c.oid)::regclass::text in ('delegations', 'holds', 'ledger_entries', 'chain_transactions', 'delegation_events', 'order_keys', 'receipt_headers')
        and c.relkind in ('r', 'i') order by bytes desc`,
    [orders],
  );
  return rows;
}

/** Through the service's own statements on one connection, so that plans are those that PostgreSQL keeps. */
async function lookUp(url, user, failing) {
  const { ServicePool } = load('src/database/service-pool');
  const { Sql } = load('src/database/sql');
  const { OrderLookup } = load('src/delegation/lookup/order-lookup');
  const pool = new ServicePool(url);
  const views = new OrderLookup(new Sql(pool));
  const middle = (
    await pool.query(
      `select id from delegations where user_id = $1
        order by created_at offset (select count(*) / 2 from delegations where user_id = $1) limit 1`,
      [user],
    )
  ).rows[0].id;
  const found = {};
  const look = async (name, userId, state, before) => {
    const times = [];
    let rows = 0;
    for (let time = 0; time < TIMES; time++) {
      const startedMs = performance.now();
      rows = (await views.list({ userId, state, before, limit: 21 })).length;
      times.push(performance.now() - startedMs);
    }
    const sorted = times.toSorted((a, b) => a - b);
    found[name] = { rows, median_ms: round(sorted[TIMES >> 1]), worst_ms: round(sorted.at(-1)) };
  };
  for (const state of STATES) {
    await look(state, user, state, null);
    await look(`${state}, from the middle`, user, state, middle);
  }
  for (const state of ['reclaimed', 'failed'])
    await look(`${state}, where all but ${FEW} have failed`, failing, state, null);
  await pool.end();
  return found;
}

function report(orders, relations, lookups) {
  for (const { name, is_index: isIndex, bytes } of relations)
    if (bytes >= 1)
      process.stdout.write(`${String(Math.round(bytes)).padStart(6)}  ${isIndex ? '  index ' : ''}${name}\n`);
  const total = relations.reduce((sum, { bytes }) => sum + bytes, 0);
  process.stdout.write(
    `${String(Math.round(total)).padStart(6)}  bytes an order, of ${orders}; ten million: ${Math.round(total / 100)} GB\n`,
  );
  console.table(lookups);
  return {
    orders,
    bytes_per_order: Math.round(total),
    worst_lookup_ms: Math.max(...Object.values(lookups).map(({ worst_ms: ms }) => ms)),
    median_lookup_ms: Math.max(...Object.values(lookups).map(({ median_ms: ms }) => ms)),
  };
}

function round(value) {
  return Math.round(value * 100) / 100;
}
