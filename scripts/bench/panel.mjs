// npm run bench -- --panel N: how long each page takes with N orders of 1,000 customers in the last 30 days.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { load } from '../scratch-database.mjs';
import { fillOtherPages, panelPages } from './panel-pages.mjs';
import { startChain, startPostgres, startService } from './servers.mjs';

const TIMES = 15;
/** A session may have 300 requests a minute. */
const PAGES_OF_A_SESSION = 18;
const CUSTOMERS = 1_000;
const CHUNK = 20_000;
const PASSWORD = 'a password of the bench';
const EMAIL = 'bench@example.com';
const CUSTOMER_SEEN = `0000000b-0000-7000-8000-${'7'.padStart(12, '0')}`;
const CUSTOMER = (n) => `('0000000b-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/** One that the chain has, so that its reading takes what it takes. */
const WALLET = `insert into pool_wallets (id, name, address, role, key_source) values (gen_random_uuid(), 'bench', $1, 'delegate', 'env:NONE')`;
/** `$1` orders in all: one of forty failed, a third is paid by quota, one of fifty activates. */
const BEFORE = [
  `insert into users (id, email, name) select ${CUSTOMER('n')}, 'user' || n || '@example.com', 'User ' || n from generate_series(1, ${CUSTOMERS}) n`,
  `insert into accounts (user_id) select ${CUSTOMER('n')} from generate_series(1, ${CUSTOMERS}) n`,
];
const ORDERS = `
  insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, activates, state, wallet_id, stake_sun,
    cost_sun, paid_by, answer, answer_code, created_at)
  select gen_random_uuid(), ${CUSTOMER(`1 + n % ${CUSTOMERS}`)}, 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', '1', 65000, 10, n % 50 = 0, n % 50 = 0,
         case when n % 40 = 0 then 'failed' else 'reclaimed' end, w.id, 1, 3000000,
         case when n % 3 = 0 then 'subscription' else 'balance' end, case when n % 40 = 0 then 'failure' else 'success' end,
         case when n % 40 = 0 then 'OUTCOME_UNKNOWN' else 'included' end, now() - n * (interval '30 days' / $1::integer)
    from generate_series($2::integer, least($2::integer + ${CHUNK - 1}, $1::integer)) n, pool_wallets w`;
const AFTER = [
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms, ref_block_number, state)
   select md5(id::text || purpose), purpose, 'order', id, wallet_id, receiver, 1000000, '', 0, 0, 'final'
     from delegations, unnest(array['delegation', 'reclaim', 'activation']) purpose where purpose <> 'activation' or activates`,
  `insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, delegation_id)
   select user_id, created_at, 'charge', -1, 1, id from delegations order by created_at`,
  `insert into refused_attempt_days (day, user_id, code, attempts)
   select (now() - d * interval '1 day')::date, ${CUSTOMER('n')}, code, 3
     from generate_series(1, ${CUSTOMERS}) n, generate_series(0, 29) d, unnest(array['INSUFFICIENT_BALANCE', 'RATE_LIMITED']) code`,
];

export async function measurePanel(orders) {
  const [database, chain] = await Promise.all([startPostgres(), startChain()]);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await fill(client, orders, chain.accounts.find(({ role }) => role === 'pool').address);
  const pages = await panelPages(client, chain, CUSTOMER_SEEN);
  const service = await startService({
    DATABASE_URL: database.url,
    TRON_FULL_NODE_URLS: chain.url,
    LOG_LEVEL: 'warn',
  });
  const open = await timePages(service.url, pages);
  const closed = await closeDays(client);
  await client.query('analyze');
  await client.end();
  const summed = await timePages(service.url, pages);
  for (const [path, ms] of Object.entries(summed)) {
    process.stdout.write(
      `${path.padEnd(72)} p50 ${ms.p50} ms, slowest ${ms.most} ms (before days were closed ${open[path].p50} ms)\n`,
    );
  }
  const slowest = Math.max(...Object.values(summed).map(({ p50 }) => p50));
  return { panel_orders: orders, panel_closed_days: closed, panel_slowest_page_ms: slowest, panel_pages: summed };
}

async function fill(client, orders, pool) {
  await client.query(WALLET, [pool]);
  // Entries of days that are over, for their number alone.
  await client.query('alter table ledger_entries disable trigger user');
  for (const text of BEFORE) await client.query(text);
  for (let from = 1; from <= orders; from += CHUNK) await client.query(ORDERS, [orders, from]);
  for (const text of AFTER) await client.query(text);
  const id = randomUUID();
  const hash = await load('src/auth/passwords/password-hash').hashPassword(PASSWORD);
  await client.query('insert into users (id, email, name, operator, password_hash) values ($1, $2, $2, true, $3)', [
    id,
    EMAIL,
    hash,
  ]);
  await client.query('insert into accounts (user_id) values ($1)', [id]);
  await fillOtherPages(client, id);
  await client.query('vacuum analyze');
}

/** As the service does by itself every ten minutes. */
function closeDays(client) {
  const { CloseOrderDays } = load('src/reporting/reports/close-order-days');
  const sql = { execute: async ({ text }, values = []) => (await client.query(text, values)).rowCount };
  return new CloseOrderDays(sql, new AbortController()).run(Date.now());
}

/** The cookies of somebody who is signed in. */
async function signIn(url) {
  const path = `${url}/panel/sign-in`;
  const page = await fetch(path);
  const jar = new Map();
  const keep = (response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      jar.set(name, value);
    }
  };
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  keep(page);
  const token = /name="_csrf" value="([^"]+)"/.exec(await page.text())[1];
  const body = new URLSearchParams({ _csrf: token, email: EMAIL, password: PASSWORD });
  const answer = await fetch(path, { method: 'POST', body, redirect: 'manual', headers: { Cookie: header() } });
  if (answer.status !== 303) throw new Error(`signing in was answered with ${answer.status}`);
  keep(answer);
  return header();
}

async function timePages(url, paths) {
  const result = {};
  let cookies = '';
  for (const [index, path] of paths.entries()) {
    if (index % PAGES_OF_A_SESSION === 0) cookies = await signIn(url);
    const times = [];
    for (let n = 0; n < TIMES; n += 1) {
      const begun = performance.now();
      const response = await fetch(url + path, { headers: { Cookie: cookies }, redirect: 'manual' });
      await response.text();
      // A search that finds one thing leads to it.
      if (![200, 303].includes(response.status)) throw new Error(`${path} was answered with ${response.status}`);
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    result[path] = { p50: Math.round(times[TIMES >> 1]), most: Math.round(times.at(-1)) };
  }
  return result;
}
