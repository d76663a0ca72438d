import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { load } from '../scratch-database.mjs';

const { HOLD } = load('src/billing/hold.statements');
const { INSERT_DELEGATION, ANSWER_SUCCESS } = load('src/delegation/delegation.statements');
const RESERVE = {
  name: 'bench_reserve',
  text: `update pool_wallets set reserved_sun = reserved_sun + $2, transactions_due = transactions_due + 2 where id = $1`,
};
const outbox = load('src/chain/outbox/outbox.statements');

const { url, payerIds, wallets, receivers, connections, seconds } = workerData;
const WARM_UP_MS = 2_000;
const STAKE_SUN = '6867972224';

const RAW_DATA = JSON.stringify({
  contract: [
    { parameter: { value: { balance: Number(STAKE_SUN), resource: 'ENERGY' } }, type: 'DelegateResourceContract' },
  ],
});
const latencies = [];
const startedAt = performance.now();
const from = startedAt + WARM_UP_MS;
const until = from + seconds * 1000;
let turn = 0;

async function client() {
  // With pipelining, statements of one order that need no answer in between go out together, as in pgbench's own.
  const db = new pg.Client({ connectionString: url, pipeline: true });
  await db.connect();
  while (performance.now() < until) {
    const began = performance.now();
    await order(db);
    const now = performance.now();
    if (began >= from && now <= until) latencies.push(now - began);
  }
  await db.end();
}

async function order(db) {
  const n = turn++;
  const id = randomUUID();
  const payer = payerIds[n % payerIds.length];
  const wallet = wallets[n % wallets.length];
  const receiver = receivers[n % receivers.length];
  const txId = createHash('sha256').update(id).digest('hex');
  const run = (statement, values) => db.query({ ...statement, values });
  await Promise.all([
    db.query('begin'),
    run(HOLD, [id, payer, 65_000, 3_000_000, 0]),
    run(INSERT_DELEGATION, [
      id,
      payer,
      receiver,
      '1',
      65_000,
      10,
      false,
      null,
      'pending',
      wallet,
      STAKE_SUN,
      false,
      20_000,
      '{}',
    ]),
    run(outbox.INSERT, [
      txId,
      'delegation',
      id,
      wallet,
      receiver,
      STAKE_SUN,
      RAW_DATA,
      randomBytes(140).toString('hex'),
      randomBytes(65).toString('hex'),
      1,
      1,
      txId,
      false,
    ]),
    run(RESERVE, [wallet, STAKE_SUN]),
    db.query('commit'),
  ]);
  await Promise.all([
    db.query('begin'),
    run(outbox.MARK_ANSWERED, [txId, true, '{}']),
    run(ANSWER_SUCCESS, [id, 0, 'accepted', ['pending']]),
    db.query('commit'),
  ]);
}

await Promise.all(Array.from({ length: connections }, client));
latencies.sort((one, other) => one - other);
const at = (share) => latencies[Math.floor(latencies.length * share)];
const report = {
  perSecond: latencies.length / seconds,
  answered: latencies.length,
  refused: 0,
  p50: at(0.5),
  p99: at(0.99),
};
// A worker's port has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort.postMessage(report);
