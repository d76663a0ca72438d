import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { WARM_UP_SECONDS } from './load.mjs';

/** The rows of one order, by the shortest way: its first transaction, then its answer's. */
const PLACE = [
  statement(
    'hold',
    `with account as (
       update accounts set held_sun = held_sun + $3::bigint, updated_at = clock_timestamp()
        where user_id = $2 and balance_sun - held_sun >= $3::bigint returning user_id)
     insert into holds (delegation_id, user_id, amount_sun, quota_energy) select $1, user_id, $3, 0 from account`,
    ({ id, payer }) => [id, payer, COST_SUN],
  ),
  statement(
    'order',
    `with placed as (
       insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id,
                                stake_sun, cost_sun, paid_by, activates, claimed_until)
       values ($1, $2, $3, '1', 65000, 10, false, 'pending', $4, $5, $6, 'balance', false, clock_timestamp() + interval '20 s')
       returning id)
     insert into delegation_events (delegation_id, kind, detail) select id, 'ordered', '{}' from placed`,
    ({ id, payer, receiver, wallet }) => [id, payer, receiver, wallet, STAKE_SUN, COST_SUN],
  ),
  statement(
    'bytes',
    `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data,
                                     signature, expiration_ms, ref_block_number, resend)
     values ($1, 'delegation', 'order', $2, $3, $4, $5, decode($6, 'hex'), decode($7, 'hex'), 1, 1, null)`,
    ({ id, txId, wallet, receiver }) => [txId, id, wallet, receiver, STAKE_SUN, hex(140), hex(65)],
  ),
  statement(
    'stake',
    `update pool_wallets set reserved_sun = reserved_sun + $2, transactions_due = transactions_due + 2 where id = $1`,
    ({ wallet }) => [wallet, STAKE_SUN],
  ),
];
const ANSWER = [
  statement(
    'sent',
    `with sent as (
       update chain_transactions set state = 'sent', last_sent_at = clock_timestamp() where tx_id = $1 returning subject_id)
     insert into delegation_events (delegation_id, kind, detail) select subject_id, 'delegation sent', '{}' from sent`,
    ({ txId }) => [txId],
  ),
  statement(
    'answer',
    `with answered as (
       update delegations set answer = 'success', answer_code = 'accepted', answered_at = clock_timestamp(),
                              claimed_until = null, state = 'sent'
        where id = $1 and answer = 'none' and epoch = 0 returning id)
     insert into delegation_events (delegation_id, kind, detail) select id, 'answered', '{}' from answered`,
    ({ id }) => [id],
  ),
];

const { url, payerIds, wallets, receivers, connections, seconds } = workerData;
const STAKE_SUN = '6867972224';
const COST_SUN = '3000000';

const latencies = [];
const startedAt = performance.now();
const from = startedAt + WARM_UP_SECONDS * 1_000;
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
  const row = {
    id,
    payer: payerIds[n % payerIds.length],
    wallet: wallets[n % wallets.length],
    receiver: receivers[n % receivers.length],
    txId: createHash('sha256').update(id).digest('hex'),
  };
  await transaction(db, PLACE, row);
  await transaction(db, ANSWER, row);
}

function transaction(db, statements, row) {
  const run = ({ name, text, values }) => db.query({ name, text, values: values(row) });
  return Promise.all([db.query('begin'), ...statements.map(run), db.query('commit')]);
}

function statement(name, text, values) {
  return { name: `bench_${name}`, text, values };
}

function hex(bytes) {
  return randomBytes(bytes).toString('hex');
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
