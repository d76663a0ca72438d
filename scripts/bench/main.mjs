// npm run bench [-- --fill N --seconds S --connections C --pace-seconds P --webhook-seconds S --only webhooks|signer|deposits | --at-rest N | --panel N]: loopback only, bounded, on a database and a chain of its own. The last line is JSON.
import { parseArgs } from 'node:util';
import { measureAtRest } from './at-rest.mjs';
import { startBare, startChain, startPostgres, startService, stopAll } from './servers.mjs';
import { fillOrders, populate, recordTokenUse } from './population.mjs';
import { rotate, runFixed, runLoad, WARM_UP_SECONDS } from './load.mjs';
import { startCountingProxy } from './counting-proxy.mjs';
import { cpuPerRequest, postmasterOf } from './cpu.mjs';
import { measureDepositScan } from './deposit-scan.mjs';
import { measurePanel } from './panel.mjs';
import { measurePace } from './pace.mjs';
import { measureStart } from './start-time.mjs';
import { measureSigner } from './signer.mjs';
import { runRawSql } from './raw-sql.mjs';
import { runWebhooks } from './webhooks.mjs';
import {
  describe,
  describeDeposits,
  describePace,
  describeSigner,
  describeWebhooks,
  printTable,
  quantile,
} from './report.mjs';
import { useNewestNode } from '../newest-node.mjs';

useNewestNode();
const { values } = parseArgs({
  options: {
    fill: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '50' },
    'webhook-seconds': { type: 'string', default: '60' },
    only: { type: 'string' },
    'at-rest': { type: 'string' },
    panel: { type: 'string' },
    'pace-seconds': { type: 'string', default: '60' },
  },
});
const load = { seconds: Number(values.seconds), connections: Number(values.connections) };
/** Each caller asks for its balance once: the route allows one call in five seconds. */
const BALANCE_CALLERS = 12_000 * (load.seconds + WARM_UP_SECONDS);
const ORDERS_COUNTED = 300;
const SETTINGS = {
  DELEGATION_ANSWER: 'accepted',
  RATE_LIMIT_PER_MINUTE: '1000000',
  LOG_LEVEL: 'warn',
};

async function main() {
  if (values.only === 'webhooks') return measureWebhooks(...(await Promise.all([startPostgres(), startChain()])));
  if (values.only === 'signer') return measureWithSigner();
  if (values.only === 'deposits') return measureDeposits();
  const startMs = await measureStart();
  const [database, chain] = await Promise.all([startPostgres(), startChain()]);
  const population = await populate(database, chain, { balanceCallers: BALANCE_CALLERS, payers: 400 });
  await fillOrders(database, Number(values.fill));

  const bare = await startBare();
  const a = await runLoad(bare.url, load, [{ method: 'GET', path: '/api/bare' }]);
  bare.stop();

  const proxy = await startCountingProxy(chain.url);
  const service = await startService({ ...SETTINGS, DATABASE_URL: database.url, TRON_FULL_NODE_URLS: proxy.url });
  await recordTokenUse(database);
  const b = await runLoad(service.url, load, [rotate('GET', '/api/user/balance', population.balanceTokens)]);

  const orders = { tokens: population.payerTokens, receivers: population.receivers };
  const calls = await proxy.countDuring(() => runFixed(service.url, ORDERS_COUNTED, [delegate(orders)]));
  service.stop();
  await service.ended;
  proxy.stop();

  const direct = await startService({ ...SETTINGS, DATABASE_URL: database.url, TRON_FULL_NODE_URLS: chain.url });
  const processes = {
    service: direct.process.pid,
    chain: chain.process.pid,
    postgres: postmasterOf(database),
    load: process.pid,
  };
  const c = await cpuPerRequest(processes, () => runLoad(direct.url, load, [delegate(orders)]));
  const half = { ...load, connections: load.connections / 2 };
  const [hot, others] = await Promise.all([
    runLoad(direct.url, half, [delegate({ ...orders, tokens: orders.tokens.slice(0, 1) })]),
    runLoad(direct.url, half, [delegate({ ...orders, tokens: orders.tokens.slice(1) })]),
  ]);
  const rssMb = direct.rssMb();
  direct.stop();
  await direct.ended;
  const webhooks = await measureWebhooks(database, chain);
  chain.stop();
  const d = await runRawSql(database.url, population, load);

  const signer = await measureWithSigner();
  const deposits = await measureDeposits();
  const pace = await measurePace(Number(values['pace-seconds']));

  printTable({ a, b, c, hot, others, d });
  const orderCalls = calls.orders / calls.result.answered;
  process.stdout.write(describe(values, calls, c.cpuMs));
  process.stdout.write(describePace(pace));
  return {
    balance_to_bare: round(b.perSecond / a.perSecond),
    delegate_to_sql: round(c.perSecond / d.perSecond),
    node_calls_per_order: round(orderCalls),
    idle_calls_per_minute: round(pace.idle),
    busy_calls_per_minute: Object.fromEntries(
      Object.entries(pace.busy).map(([wallets, asked]) => [wallets, round(asked)]),
    ),
    block_to_answer_ms: { p50: quantile(pace.waitsMs, 0.5), p95: quantile(pace.waitsMs, 0.95) },
    start_ms: startMs,
    rss_mb: rssMb,
    bare_per_second: round(a.perSecond),
    balance_per_second: round(b.perSecond),
    delegate_per_second: round(c.perSecond),
    sql_per_second: round(d.perSecond),
    // 1: while half of all connections order on one account, the other half gets half of all that is done.
    others_beside_hot_account: round(others.perSecond / (c.perSecond / 2)),
    delegate_cpu_ms: Object.fromEntries(Object.entries(c.cpuMs).map(([name, ms]) => [name, round(ms)])),
    balance_p99_ms: b.p99,
    delegate_p99_ms: c.p99,
    refused: b.refused + c.refused,
    filled: Number(values.fill),
    ...webhooks,
    ...signer,
    ...deposits,
  };
}

async function measureWebhooks(database, chain) {
  const found = await runWebhooks(database, chain, Number(values['webhook-seconds']));
  process.stdout.write(describeWebhooks(found));
  return {
    webhook_events_per_minute: found.perMinute,
    webhook_p99_ms: found.p99,
    webhooks_not_delivered: found.toHealthy - found.delivered,
  };
}

/** On a database and a chain of its own: one wallet, which the other measurements would lend from. */
async function measureWithSigner() {
  const [database, chain] = await Promise.all([startPostgres(), startChain()]);
  const found = await measureSigner(database, chain, SETTINGS);
  chain.stop();
  process.stdout.write(describeSigner(found));
  return { signer_later_ms: round(found.laterMs), signer_fastest_later_ms: round(found.fastestLaterMs) };
}

/** In this process, on a database and a chain of its own. */
async function measureDeposits() {
  const found = await measureDepositScan();
  process.stdout.write(describeDeposits(found));
  return { deposits_to_reading: round(found.scanMs / found.readMs) };
}

function delegate({ tokens, receivers }) {
  return rotate('POST', '/api/chain/delegate-resource', tokens, (index) =>
    JSON.stringify({ receiver_address: receivers[index % receivers.length], amount: 1 }),
  );
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function measure() {
  if (values['at-rest'] !== undefined) return measureAtRest(Number(values['at-rest']));
  return values.panel === undefined ? main() : measurePanel(Number(values.panel));
}

try {
  const result = await measure();
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await stopAll();
}
process.exit(0);
