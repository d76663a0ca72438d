import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { utils } from 'tronweb';
import { load } from '../scratch-database.mjs';
import { scratchDirectory } from './servers.mjs';

const WALLET_STAKE_SUN = 300_000_000_000_000;
const LIQUID_SUN = 10_000_000_000_000;

/** Users with tokens and money, receivers that exist, and pool wallets with stake for every order of the run. */
export async function populate(
  { url },
  chain,
  { balanceCallers, payers, wallets: count = 8, receivers: reached = 500 },
) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const balanceTokens = await insertCallers(client, balanceCallers, 0n);
  const payerTokens = await insertCallers(client, payers, 1_000_000_000_000n);
  const wallets = await insertWallets(client, chain, count);
  const receivers = [];
  for (let i = 0; i < reached; i++) {
    const { address } = utils.accounts.generateAccount();
    receivers.push(address.base58);
    await putAccount(chain, address.base58, 1_000_000, 0);
  }
  const { rows } = await client.query('select user_id from accounts where balance_sun > 0');
  await client.query('vacuum analyze');
  await client.end();
  return { balanceTokens, payerTokens, receivers, wallets, payerIds: rows.map((row) => row.user_id) };
}

/** So many of the wallets belong to the pool from now on. */
export async function countWallets({ url }, count) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `update pool_wallets w
        set state = case when n <= $1 then 'active' else 'draining' end, removed_at = case when n > $1 then now() end
       from (select id, row_number() over (order by name) as n from pool_wallets) numbered where numbered.id = w.id`,
    [count],
  );
  await client.end();
}

/** Each caller comes once, and is to cost what one costs who calls all the time: a token's use is written once a minute. */
export async function recordTokenUse({ url }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('update api_tokens set last_used_at = now()');
  await client.query('vacuum analyze api_tokens');
  await client.end();
}

async function insertCallers(client, count, balanceSun) {
  const { mintToken, hashToken, prefixOf } = load('src/auth/tokens/token-format');
  const tokens = Array.from({ length: count }, mintToken);
  const ids = tokens.map(() => randomUUID());
  await client.query(
    `insert into users (id, email, name) select id, id || '@example.com', 'bench' from unnest($1::uuid[]) as id`,
    [ids],
  );
  await client.query(
    `with account as (insert into accounts (user_id, balance_sun) select unnest($1::uuid[]), $2 returning user_id, balance_sun)
     insert into ledger_entries (user_id, kind, amount_sun, balance_sun)
     select user_id, 'credit', balance_sun, balance_sun from account where balance_sun > 0`,
    [ids, balanceSun],
  );
  await client.query(
    `insert into api_tokens (id, user_id, name, prefix, hash, permissions, last_used_at)
     select gen_random_uuid(), id, 'bench', prefix, hash, '{delegate,balance}', now()
       from unnest($1::uuid[], $2::text[], $3::bytea[]) as t (id, prefix, hash)`,
    [ids, tokens.map(prefixOf), tokens.map(hashToken)],
  );
  return tokens;
}

async function insertWallets(client, chain, count) {
  const directory = scratchDirectory();
  const ids = [];
  for (let i = 0; i < count; i++) {
    const { address, privateKey } = utils.accounts.generateAccount();
    await putAccount(chain, address.base58, LIQUID_SUN, WALLET_STAKE_SUN);
    const file = join(directory, `key-${i}`);
    writeFileSync(file, privateKey.replace(/^0x/, ''), { mode: 0o600 });
    const id = randomUUID();
    ids.push(id);
    await client.query(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, $2, $3, 'delegate', $4)`,
      [id, `bench-${i}`, address.base58, `file:${file}`],
    );
  }
  return ids;
}

async function putAccount(chain, address, balance, staked) {
  const body = JSON.stringify({ address, type: 'Normal', balance_sun: balance, staked_energy_sun: staked });
  const answer = await fetch(`${chain.url}/control/account`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`control/account: ${answer.status} ${await answer.text()}`);
}

/** Orders of the past, settled and taken back, with all the rows that each of them leaves behind. */
export async function fillOrders({ url }, count) {
  if (count === 0) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select (select id from pool_wallets limit 1) as wallet, (select user_id from accounts where balance_sun > 0 limit 1) as payer`,
  );
  const values = [count, rows[0].payer, rows[0].wallet];
  // Entries of one statement, which no trigger finds to add up before all are there.
  await client.query('alter table ledger_entries disable trigger user');
  for (const statement of FILL) await client.query(statement, values.slice(0, parametersOf(statement)));
  await client.query('alter table ledger_entries enable trigger user');
  await client.query('vacuum analyze');
  await client.end();
}

const parametersOf = (statement) => Math.max(...[...statement.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)));

/** `md5` makes ids that can be made again for the rows that belong to an order. */
const ORDER_ID = `md5('filled ' || n)::uuid`;
const FILL = [
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
     cost_sun, paid_by, answer, answer_code, answered_at, delegation_block, delegated_at, reclaim_due_at, reclaimed_at, created_at)
   select ${ORDER_ID}, $2, 'TFilled' || n % 50000, '1', 65000, 10, false, 'reclaimed', $3, 6861111113, 3000000, 'balance',
     'success', 'included', at, 0, at, at + interval '1 hour', at + interval '1 hour', at
   from (select n, now() - interval '2 days' - n * interval '1 second' as at from generate_series(1, $1::integer) n) o`,
  `insert into holds (delegation_id, user_id, amount_sun, state) select ${ORDER_ID}, $2, 3000000, 'taken' from generate_series(1, $1::integer) n`,
  `insert into ledger_entries (user_id, kind, amount_sun, balance_sun)
   select $2, 'credit', 3000000::bigint * $1::integer, a.balance_sun + 3000000::bigint * $1::integer from accounts a where a.user_id = $2`,
  `insert into ledger_entries (user_id, kind, amount_sun, balance_sun, delegation_id)
   select $2, 'charge', -3000000, a.balance_sun + 3000000::bigint * ($1::integer - n), ${ORDER_ID}
     from generate_series(1, $1::integer) n, accounts a where a.user_id = $2 order by n`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, signature,
     expiration_ms, ref_block_number, state, block_number)
   select encode(sha256((purpose || n)::bytea), 'hex'), purpose, 'order', ${ORDER_ID}, $3, $2, 6861111113, '', '', 0, 0, 'final', 0
   from generate_series(1, $1::integer) n, unnest(array['delegation', 'reclaim']) purpose`,
  `insert into delegation_events (delegation_id, kind, detail)
   select ${ORDER_ID}, kind, '{}' from generate_series(1, $1::integer) n, unnest(array['ordered', 'delegation sent', 'sent', 'answered', 'delegated', 'reclaimed']) kind`,
];
