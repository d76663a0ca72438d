// What the panel's bench opens, and what the pages show besides orders.
import { randomUUID } from 'node:crypto';

const DELIVERIES = 50_000;
const ENTRIES = 100_000;
const FINDINGS = 5_000;
const WEBHOOK = randomUUID();

/** `$1`: who looks. One webhook of the hundred has all the deliveries. */
const ROWS = [
  `insert into webhooks (id, user_id, url, secret)
   select case n when 1 then '${WEBHOOK}'::uuid else gen_random_uuid() end, $1::uuid, 'https://shop.example/' || n, ''
     from generate_series(1, 100) n`,
  `with said as (insert into webhook_events (body) values ('{}') returning id)
   insert into webhook_deliveries (id, webhook_id, event, event_id, state, attempts, status, took_ms, attempted_at, created_at)
   select gen_random_uuid(), '${WEBHOOK}', 'delegation.delegated', said.id, 'delivered', 1, 204, 30, at, at
     from said, generate_series(1, ${DELIVERIES}) n, lateral (select now() - n * interval '50 seconds') t (at) where $1::uuid is not null`,
  `insert into audit_log (at, actor_id, address, action, subject, outcome, before, after)
   select now() - (${ENTRIES} - n) * interval '5 minutes', case when n % 2 = 0 then $1::uuid end, '127.0.0.1', 'user.update',
          'user user' || n % 1000 || '@example.com', 'done', '{"rate_limit":60}', '{"rate_limit":120}'
     from generate_series(1, ${ENTRIES}) n`,
  `insert into findings (kind, subject, reason, next_step, first_seen_at, resolved_at)
   select 'wallet_unread', 'wallet ' || n, 'A reason.', 'A step.', now() - n * interval '1 hour', case when n > 200 then now() end
     from generate_series(1, ${FINDINGS}) n where $1::uuid is not null`,
  `insert into notice_deliveries (id, channel, items, state, attempts, created_at)
   select gen_random_uuid(), 'email', '[]', 'sent', 1, now() - n * interval '10 minutes'
     from generate_series(1, 4000) n where $1::uuid is not null`,
];

export async function fillOtherPages(client, userId) {
  for (const text of ROWS) await client.query(text, [userId]);
}

const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const query = (fields) => `?${new URLSearchParams(fields).toString()}`;

/** Every page that shows rows, or asks a node. */
export async function panelPages(client, chain, customer) {
  const one = async (text) => (await client.query(text)).rows[0].value;
  const wallet = await one('select id as value from pool_wallets limit 1');
  const order = await one(`select id as value from delegations where state = 'reclaimed' limit 1`);
  const failed = await one(`select id as value from delegations where state = 'failed' limit 1`);
  const txid = await one('select tx_id as value from chain_transactions limit 1');
  const rich = chain.accounts.find(({ role }) => role === 'rich').address;
  const pool = chain.accounts.find(({ role }) => role === 'pool').address;
  const range = query({ from: day(20), to: day(10) });
  const operator = '/panel/operator';
  const user = `${operator}/users/${customer}`;
  return [
    ...['?days=1', '', '?days=30', range, query({ from: day(400) })].map((asked) => `${operator}/business${asked}`),
    operator,
    `${operator}/wallets`,
    `${operator}/wallets/${wallet}`,
    `${operator}/settings`,
    `${operator}/notices`,
    ...['', '?sort=poorest', '?sort=spend', '?sort=last', '?q=user7'].map((asked) => `${operator}/users${asked}`),
    ...['', range, '/money', '/money?days=7', '/subscriptions', '/access', '/tokens'].map((tab) => user + tab),
    ...['', '?days=30', range, '?state=failed', '?stuck=refused'].map((asked) => `${operator}/orders${asked}`),
    `${operator}/orders/${order}`,
    `${operator}/orders/${failed}`,
    ...['', '?resolved=yes'].map((asked) => `${operator}/findings${asked}`),
    ...['', range, '?who=bench%40example.com', '?subject=user+user7%40example.com'].map(
      (asked) => `${operator}/audit-log${asked}`,
    ),
    ...['user7', order, txid, pool, 'nothing-like-it'].map((text) => `/panel/search${query({ q: text })}`),
    `/panel/quote${query({ receiver_address: rich, amount: 2 })}`,
    `/panel/quote${query({ receiver_address: rich, to: pool })}`,
    '/panel/webhooks',
    `/panel/webhooks/${WEBHOOK}`,
    ...['orders', 'orders/refused', 'orders/failures', 'balance', 'subscriptions', 'tokens', 'try-it', 'account'].map(
      (path) => `/panel/${path}`,
    ),
  ];
}
