import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startService } from './servers.mjs';

const ENDPOINTS = 100;
const HANGING = 10;
const EVENTS_A_MINUTE = 10_000;
/** Events of one turn are written together, each in a statement and a commit of its own. */
const TURN_MS = 100;
const DRAIN_MS = 30_000;

/**
 * Ten of a hundred receivers take a message and never answer. What counts is how long the others wait for theirs, from the row's own
 * time on, which is when it was written: both clocks are this machine's.
 */
export async function runWebhooks(database, chain, seconds) {
  const client = new pg.Pool({ connectionString: database.url, max: 4 });
  const waits = [];
  const seen = new Set();
  const receivers = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, index) => startReceiver(index < HANGING, { waits, seen })),
  );
  const webhookIds = await insertWebhooks(client, receivers);
  const service = await startService({
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    DATABASE_URL: database.url,
    TRON_FULL_NODE_URLS: chain.url,
  });
  const written = await writeEvents(client, webhookIds, seconds);
  const healthy = written.filter(({ endpoint }) => endpoint >= HANGING);
  const until = Date.now() + DRAIN_MS;
  while (waits.length < healthy.length && Date.now() < until) await sleep(50);
  const hanging = await client.query(
    `select count(*) from webhook_deliveries where state = 'pending' and attempts > 0`,
  );
  const rssMb = service.rssMb();
  service.stop();
  await service.ended;
  for (const { server } of receivers) {
    server.close();
    server.closeAllConnections();
  }
  await client.end();
  waits.sort((one, other) => one - other);
  const at = (share) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Infinity;
  return {
    perMinute: Math.round((written.length / seconds) * 60),
    toHealthy: healthy.length,
    delivered: waits.length,
    timedOut: Number(hanging.rows[0].count),
    p50: at(0.5),
    p99: at(0.99),
    slowest: waits.at(-1) ?? Infinity,
    rssMb,
  };
}

async function startReceiver(hangs, { waits, seen }) {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      if (hangs) return;
      const id = request.headers['webhook-id'];
      if (!seen.has(id)) waits.push(Date.now() - JSON.parse(text).data.written_ms);
      seen.add(id);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

/** One user each, whose secret is kept as a service without a key keeps it. */
async function insertWebhooks(client, receivers) {
  const ids = receivers.map(() => randomUUID());
  const users = receivers.map(() => randomUUID());
  await client.query(
    `insert into users (id, email, name) select id, id || '@example.com', 'bench' from unnest($1::uuid[]) as id`,
    [users],
  );
  await client.query(`insert into accounts (user_id) select unnest($1::uuid[])`, [users]);
  await client.query(
    `insert into webhooks (id, user_id, url, secret)
     select id, user_id, url, $4 from unnest($1::uuid[], $2::uuid[], $3::text[]) as w (id, user_id, url)`,
    [ids, users, receivers.map(({ url }) => url), `plain.${randomBytes(32).toString('base64')}`],
  );
  return ids;
}

/** At a steady rate, by turns to all of them. */
async function writeEvents(client, webhookIds, seconds) {
  const written = [];
  const startedMs = performance.now();
  for (;;) {
    const passedMs = performance.now() - startedMs;
    if (passedMs >= seconds * 1000) return written;
    const due = Math.floor((Math.min(passedMs, seconds * 1000) / 60_000) * EVENTS_A_MINUTE);
    const turn = [];
    for (let at = written.length; at < due; at++) {
      const endpoint = at % ENDPOINTS;
      written.push({ endpoint });
      turn.push(writeEvent(client, webhookIds[endpoint]));
    }
    await Promise.all(turn);
    await sleep(TURN_MS);
  }
}

function writeEvent(client, webhookId) {
  const now = Date.now();
  const body = { type: 'delegation.delegated', timestamp: new Date(now).toISOString(), data: { written_ms: now } };
  return client.query({
    name: 'event',
    text: `with said as (insert into webhook_events (body) values ($2) returning id)
           insert into webhook_deliveries (id, webhook_id, event, event_id, next_at)
           select gen_random_uuid(), $1, 'delegation.delegated', id, clock_timestamp() from said`,
    values: [webhookId, JSON.stringify(body)],
  });
}
