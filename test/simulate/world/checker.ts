import type { Client } from 'pg';
import type { SimChain } from '../network/sim-chain';
import type { WebhookServer } from '../network/webhook-server';
import type { RefusedOrder, ToldOrder } from './callers';
import { type StakeMove, stakeMoves } from './chain-truth';
import { lateMs } from './due-checker';
import type { CustomerDeposits } from './customer-deposits';
import type { EnergyRates } from './energy-rates';
import { checkFindings } from './finding-checker';
import { checkMoney } from './money-checker';
import type { Plan } from './plan';
import { checkPrices } from './price-checker';
import { checkReserved } from './reserved-checker';
import type { Setting } from './setup';
import type { SignerTrouble } from './signer-trouble';
import { checkStrays } from './stray-checker';
import type { Tally } from './tally';
import { checkReused, checkTold } from './told-checker';
import { checkVanished, countLandedAgain } from './vanished-checker';
import { checkWebhooks } from './webhook-checker';

export interface End {
  readonly database: Client;
  readonly chain: SimChain;
  readonly plan: Plan;
  readonly setting: Setting;
  readonly rates: EnergyRates;
  readonly hooks: WebhookServer;
  readonly deposits: CustomerDeposits;
  readonly told: readonly ToldOrder[];
  readonly refused: readonly RefusedOrder[];
  readonly tally: Tally;
  readonly signer: SignerTrouble;
}

export interface OrderRow {
  readonly id: string;
  readonly user_id: string;
  readonly receiver: string;
  readonly transactions: string;
  readonly energy: string;
  readonly activate: boolean;
  readonly rental_minutes: number;
  readonly key: string | null;
  readonly wallet: string;
  readonly state: string;
  readonly answer: string;
  readonly answer_code: string | null;
  readonly stake_sun: string;
  readonly shortage_sun: string;
  readonly cost_sun: string;
  readonly paid_by: string;
  /** It pays for its receiver's activation, and so many were signed for it. */
  readonly activates: boolean;
  readonly activations: number;
  readonly hold_state: string | null;
  readonly hold_sun: string | null;
  readonly hold_quota: string | null;
  readonly subscription: string | null;
  readonly counted_sun: string | null;
  readonly charges: number;
  readonly charged_sun: string;
}

interface TransactionRow {
  readonly tx_id: string;
  readonly purpose: string;
  readonly subject_id: string;
  readonly state: string;
  readonly amount_sun: string;
}

const ORDERS = `select d.id, d.user_id, d.receiver, d.transactions, d.energy, d.activate, d.rental_minutes, d.idempotency_key as key,
    w.address as wallet, d.state, d.answer, d.answer_code, d.stake_sun, d.shortage_sun,
    d.cost_sun, d.paid_by, d.activates, h.state as hold_state, h.amount_sun as hold_sun, h.quota_energy as hold_quota,
    h.subscription_id as subscription, h.counted_sun,
    (select count(*)::int from chain_transactions t where t.subject_id = d.id and t.purpose = 'activation') as activations,
    (select count(*)::int from ledger_entries e where e.delegation_id = d.id and e.kind = 'charge') as charges,
    (select coalesce(-sum(e.amount_sun), 0) from ledger_entries e where e.delegation_id = d.id and e.kind = 'charge') as charged_sun
  from delegations d join pool_wallets w on w.id = d.wallet_id left join holds h on h.delegation_id = d.id order by d.id`;
const TRANSACTIONS = 'select tx_id, purpose, subject_id, state, amount_sun from chain_transactions order by id';
/** What has not come to its end. */
const OPEN = `select
  (select string_agg(state || ' order ' || id, ', ') from delegations where state not in ('reclaimed', 'failed', 'taken_back')) as orders,
  (select string_agg(state || ' ' || purpose || ' ' || tx_id, ', ') from chain_transactions where state not in ('final', 'dead')) as transactions,
  (select string_agg('webhook ' || id, ', ') from webhook_deliveries where state = 'pending') as webhooks,
  (select string_agg(state || ' ' || kind || ' ' || id, ', ') from stake_operations where state not in ('final', 'failed')) as operations`;

/** Null once every order has come to its end, every transaction to its outcome, every webhook to its receiver. */
export async function openWork(database: Client): Promise<string | null> {
  const { rows } = await database.query<Record<string, string | null>>(OPEN);
  return Object.values(rows[0]!).find((open) => open !== null) ?? null;
}

/** What the reconciler's next runs may find, or see to be gone. */
export async function isReconciledLater(database: Client, { foreignTxIds }: SimChain): Promise<boolean> {
  if (foreignTxIds.size > 0) return true;
  return (await database.query(`select from pool_wallets where state = 'paused'`)).rows.length > 0;
}

/** What has been seen to be wrong, from the database and the chain's truth alone. */
export async function checkEnd(end: End): Promise<string[]> {
  const orders = (await end.database.query<OrderRow>(ORDERS)).rows;
  const transactions = (await end.database.query<TransactionRow>(TRANSACTIONS)).rows;
  const moves = stakeMoves(end.chain);
  for (const { state } of orders) end.tally.add(`order ${state}`);
  const again = await countLandedAgain(end.database, end.chain.droppedMs);
  if (again > 0) end.tally.add('a success dropped by a fork, and in a block again', again);
  return [
    ...checkStake(end, orders, transactions, moves),
    ...orders.flatMap((order) => checkOrder(order, end.told)),
    ...checkTxIds(transactions, end.told),
    ...checkPrices(end, orders),
    ...checkTold(end, orders),
    ...checkReused(end),
    ...(await checkMoney(end.database)),
    ...(await checkReserved(end.database)),
    ...(await checkVanished(end.database, end.plan)),
    ...(await checkStrays(end.database, end.plan, moves)),
    ...(await checkFindings(end, orders)),
    ...(await end.signer.check()),
    ...(await checkWebhooks(end.database, end.hooks, orders)),
    ...(await end.deposits.checkEnd(end.hooks)),
  ];
}

/** The order's money, its answer and its end say the same. */
function checkOrder(order: OrderRow, told: readonly ToldOrder[]): string[] {
  const found: string[] = [];
  const name = `order ${order.id}`;
  const isCharged = order.hold_state === 'taken';
  if (isCharged !== (order.state === 'reclaimed'))
    found.push(`${name} is ${order.state}, its hold ${order.hold_state}`);
  if (order.hold_state === 'held') found.push(`${name} is over and its hold is not`);
  const owed = isCharged ? BigInt(order.hold_sun ?? 0) : 0n;
  if (BigInt(order.charged_sun) !== owed || order.charges !== (owed > 0n ? 1 : 0))
    found.push(`${name} was charged ${order.charged_sun} in ${order.charges} entries, its hold says ${owed}`);
  if (isCharged && order.answer === 'failure') found.push(`${name} was answered with a failure and charged`);
  for (const { id, code } of told) {
    if (id !== order.id) continue;
    if (code === 'OK' && order.answer !== 'success')
      found.push(`${name} was told as a success, and is stored as ${order.answer}`);
    if (code !== 'OK' && order.answer === 'success')
      found.push(`${name} was told as ${code}, and is stored as a success`);
  }
  return found;
}

function checkTxIds(transactions: readonly TransactionRow[], told: readonly ToldOrder[]): string[] {
  const orderOf = new Map(transactions.map((row) => [row.tx_id, row.purpose === 'delegation' ? row.subject_id : null]));
  return told
    .filter(({ id, txId }) => txId !== null && orderOf.get(txId) !== id)
    .map(({ id, txId }) => `order ${id} was told with ${txId}, which is no delegation of its own`);
}

function checkStake(
  { plan, chain }: End,
  orders: readonly OrderRow[],
  transactions: readonly TransactionRow[],
  moves: readonly StakeMove[],
): string[] {
  const found: string[] = [];
  const byId = new Map(orders.map((order) => [order.id, order]));
  const known = new Map(transactions.map((transaction) => [transaction.tx_id, transaction]));
  const delegated = new Map<string, StakeMove>();
  const undelegated = new Map<string, StakeMove>();
  for (const move of moves.filter(({ isForeign }) => !isForeign)) {
    const row = known.get(move.txId);
    if (!row) {
      found.push(`${move.does} ${move.txId} is in a block and in no row`);
      continue;
    }
    const order = byId.get(row.subject_id)!;
    const done = move.does === 'delegate' ? delegated : undelegated;
    if (done.has(order.id)) found.push(`order ${order.id} has two ${move.does}s in blocks`);
    done.set(order.id, move);
    if (row.state !== 'final') found.push(`${move.does} ${move.txId} is in a block, its row is ${row.state}`);
    if (move.from !== order.wallet || move.to !== order.receiver)
      found.push(`${move.does} of order ${order.id} is between others: ${move.from} to ${move.to}`);
    const due = BigInt(order.stake_sun) - (move.does === 'undelegate' ? BigInt(order.shortage_sun) : 0n);
    if (move.sun !== due) found.push(`${move.does} of order ${order.id} is of ${move.sun} sun instead of ${due}`);
  }
  const delayMs = Number(plan.settings['RECLAIM_DELAY']!.replace('s', '')) * 1000;
  for (const order of orders) {
    const [lent, back] = [delegated.get(order.id), undelegated.get(order.id)];
    const isLent = order.state === 'reclaimed' || order.state === 'taken_back';
    if (isLent !== (lent !== undefined))
      found.push(`order ${order.id} is ${order.state}, its delegation is ${lent ? '' : 'not '}in a block`);
    const missesAll = order.shortage_sun === order.stake_sun;
    if (isLent && !back && !missesAll) found.push(`order ${order.id} is ${order.state} and was never undelegated`);
    if (back && !lent) found.push(`order ${order.id} was undelegated and never delegated`);
    const earliestMs = lent && order.state === 'reclaimed' ? lent.timeMs + delayMs : 0;
    if (back && back.timeMs < earliestMs)
      found.push(`order ${order.id} was taken back ${earliestMs - back.timeMs} ms too early`);
    const late = earliestMs > 0 ? lateMs(plan, earliestMs, back?.timeMs ?? Infinity) : 0;
    if (late > 0) found.push(`order ${order.id} was taken back ${late} ms too late`);
  }
  return [...found, ...checkPairs(chain, orders, moves)];
}

/** Between a wallet and a receiver, nothing is missing but what somebody else took, and nothing is left but what somebody else lent. */
function checkPairs(chain: SimChain, orders: readonly OrderRow[], moves: readonly StakeMove[]): string[] {
  const foreign = new Map<string, { lent: bigint; taken: bigint }>();
  for (const { does, from, to, sun } of moves.filter(({ isForeign }) => isForeign)) {
    const pair = foreign.get(`${from} ${to}`) ?? { lent: 0n, taken: 0n };
    if (does === 'delegate') pair.lent += sun;
    else pair.taken += sun;
    foreign.set(`${from} ${to}`, pair);
  }
  const short = new Map<string, bigint>();
  for (const { wallet, receiver, shortage_sun: sun } of orders)
    short.set(`${wallet} ${receiver}`, (short.get(`${wallet} ${receiver}`) ?? 0n) + BigInt(sun));
  const found: string[] = [];
  for (const [pair, sun] of short) {
    const { lent = 0n, taken = 0n } = foreign.get(pair) ?? {};
    if (sun > taken) found.push(`${sun} sun are missing between ${pair}, of which others took ${taken}`);
    const left = moves
      .filter(({ from, to }) => `${from} ${to}` === pair)
      .reduce((sum, move) => sum + (move.does === 'delegate' ? move.sun : -move.sun), 0n);
    if (left !== lent - taken + sun)
      found.push(`${left} sun are out between ${pair}, others have ${lent - taken + sun}`);
    if (chain.foreignTxIds.size === 0 && left !== 0n) found.push(`${left} sun are still out between ${pair}`);
  }
  return found;
}
