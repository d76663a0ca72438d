// Ordinary business: orders at a steady rate by the fast clock, what callers ask around them, and a webhook that takes every event.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from '../bench/servers.mjs';
import { call } from './call.mjs';

const ORDER_EVERY_MS = 2_000;
/** After every so many orders a caller asks for a price and for what became of its order. */
const LOOK_EVERY = 5;

export async function startLoad({ clock, instances, client, payerTokens, payerIds, receivers }) {
  const webhook = await startReceiver();
  await client.query(
    `insert into webhooks (id, user_id, url, secret) select gen_random_uuid(), id, $2, $3 from unnest($1::uuid[]) as id`,
    [payerIds, webhook.url, `plain.${randomBytes(32).toString('base64')}`],
  );
  const counts = { ordered: 0, succeeded: 0, looks: 0, answers: {} };
  const open = new Set();
  const stopping = new AbortController();
  const running = (async () => {
    for (let at = 0; !stopping.signal.aborted; at++) {
      const one = order(at).finally(() => open.delete(one));
      open.add(one);
      await sleep(ORDER_EVERY_MS / clock.speed, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  async function order(at) {
    const { url } = instances[at % instances.length];
    const headers = {
      authorization: `Bearer ${payerTokens[at % payerTokens.length]}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const receiver = receivers[at % receivers.length];
    const wanted = JSON.stringify({ receiver_address: receiver, amount: 1 });
    const answer = await call(`${url}/api/chain/delegate-resource`, { method: 'POST', headers }, wanted);
    counts.ordered += 1;
    const told = answer.body?.success
      ? 'success'
      : `${answer.status} ${JSON.stringify(answer.body?.error ?? answer.body ?? '')}`;
    counts.answers[told] = (counts.answers[told] ?? 0) + 1;
    if (!answer.body?.success) return;
    counts.succeeded += 1;
    if (at % LOOK_EVERY > 0) return;
    const looks = [
      await call(`${url}/api/chain/quote?receiver_address=${receiver}&amount=1`, { headers }),
      await call(`${url}/api/chain/delegations/${answer.headers['x-delegation-id']}`, { headers }),
    ];
    for (const { status, body } of looks) {
      if (body?.success) counts.looks += 1;
      else counts.answers[`look: ${status}`] = (counts.answers[`look: ${status}`] ?? 0) + 1;
    }
  }

  return {
    counts,
    received: webhook.received,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(open);
    },
  };
}

async function startReceiver() {
  const received = new Set();
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      received.add(incoming.headers['webhook-id']);
      response.writeHead(204, { connection: 'close' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { received, url: `http://127.0.0.1:${server.address().port}/` };
}
