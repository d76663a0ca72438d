// What a node is asked, and how long after its block an order is answered: on blocks of three seconds, with a database and a chain of
// its own, at the pace of ordinary business.
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCountingProxy } from './counting-proxy.mjs';
import { countWallets, populate } from './population.mjs';
import { BUILD, run, startChain, startPostgres, startService } from './servers.mjs';

const IDLE_WALLETS = 20;
const BUSY_WALLETS = [5, 8];
const ORDER_EVERY_MS = 1_500;
/** Until the first orders are in blocks. */
const WARM_UP_MS = 20_000;

/** `seconds` of each state. */
export async function measurePace(seconds) {
  const [database, chain] = await Promise.all([startPostgres(), startChain()]);
  const { payerTokens, receivers } = await populate(database, chain, {
    balanceCallers: 0,
    payers: 1,
    wallets: IDLE_WALLETS,
    receivers: 200,
  });
  const proxy = await startCountingProxy(chain.url);
  const env = {
    DATABASE_URL: database.url,
    TRON_FULL_NODE_URLS: proxy.url,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '1000',
  };
  const service = await startService(env);
  const perMinute = ({ byPath }) => (sum(byPath) * 60) / seconds;
  await sleep(WARM_UP_MS);
  const idle = perMinute(await proxy.countDuring(() => sleep(seconds * 1_000)));
  // The reconciler runs every ten minutes: counted by itself, and only its share. A command reads the wallets first, which the service has not to.
  const reading = sum((await proxy.countDuring(() => command(env, 'pool:list'))).byPath);
  const comparison = sum((await proxy.countDuring(() => command(env, 'reconcile'))).byPath) - reading;

  const orders = startOrders(`${service.url}/api/chain/delegate-resource`, payerTokens[0], receivers);
  const busy = {};
  for (const wallets of BUSY_WALLETS) {
    await countWallets(database, wallets);
    await sleep(WARM_UP_MS);
    busy[wallets] = perMinute(await proxy.countDuring(() => sleep(seconds * 1_000)));
  }
  const answers = await orders.stop();
  const waits = await Promise.all(answers.map((answer) => blockToAnswerMs(chain, answer)));
  service.stop();
  await service.ended;
  proxy.stop();
  chain.stop();
  return {
    idle: idle + comparison / 10,
    comparison,
    busy,
    waitsMs: waits.toSorted((a, b) => a - b),
  };
}

/** An order at a time, at its time, whatever became of those before it. */
function startOrders(url, token, receivers) {
  const answers = [];
  const stopping = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const running = (async () => {
    for (let at = 0; !stopping.signal.aborted; at++) {
      const body = JSON.stringify({ receiver_address: receivers[at % receivers.length], amount: 1 });
      answers.push(order(url, { method: 'POST', headers, body }));
      await sleep(ORDER_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
      return Promise.all(answers);
    },
  };
}

async function order(url, request) {
  const response = await fetch(url, request);
  const answer = await response.json();
  if (!response.ok) throw new Error(`an order was refused: ${response.status} ${JSON.stringify(answer)}`);
  return { txid: answer.txid, atMs: Date.now() };
}

async function blockToAnswerMs(chain, { txid, atMs }) {
  const body = JSON.stringify({ value: txid });
  const found = await (await fetch(`${chain.url}/wallet/gettransactioninfobyid`, { method: 'POST', body })).json();
  return atMs - found.blockTimeStamp;
}

async function command(env, ...words) {
  const { process: child } = run([join(BUILD, 'src/cli/main.js'), ...words, '--json'], env);
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`);
}

function sum(byPath) {
  return Object.values(byPath).reduce((all, count) => all + count, 0);
}
