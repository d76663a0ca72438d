import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import { utcMicroseconds } from '../../database/utc-timestamp';
import { type OrderEventType, wantsEvent } from '../../webhooks/webhook-events';
import { keyHash, orderOf, orderWithTxId } from '../order-key.sql';
import { SHOWN_AS_THEY_ARE, shownColumns, type ShownOrder } from '../order.entity';
import { FREE_STATES, OPEN_STATES, sqlList, type OrderState } from '../../common/order.states';
import type { TransactionKind } from '../../chain/transactions/kinds/transaction-kind';
import { ACTIVATION, DELEGATION, RECLAIM } from '../transaction-kinds';
import { afterRow, costOf, orderBy, type OrderSort } from '../../common/order-sorts';
import { STUCK_ORDERS, type StuckKind } from './stuck-orders';

/** An order as it is shown, to its caller and to operators. */
export interface OrderView extends ShownOrder {
  readonly user: string;
  readonly wallet: string;
  readonly txid: string | null;
  readonly activation_txid: string | null;
  readonly reclaim_txid: string | null;
}

/** Whose orders, and to whom: others read as not there. Null or nothing: all. */
export interface OrderScope {
  readonly userId?: string | null;
  readonly receivers?: readonly string[] | null;
}

/** Every filter is optional; null leaves it out. */
export interface OrderCriteria extends OrderScope {
  readonly state?: OrderState | null;
  readonly receiver?: string | null;
  readonly txId?: string | null;
  /** The user's key: the same text may be another user's key too. */
  readonly idempotencyKey?: string | null;
  readonly stuck?: StuckKind | null;
  /** Failed, taken back because of a failure, or answered with a failure and still possible on chain. */
  readonly troubled?: boolean;
  /** Placed from then on. */
  readonly from?: Date | null;
  /** Placed before then. */
  readonly to?: Date | null;
  /** Null or nothing: the newest first. */
  readonly sort?: OrderSort | null;
  /** Only what comes after this order: older ones, while the newest come first. */
  readonly before?: string | null;
  readonly limit?: number | null;
}

const lastTxId = ({ name }: TransactionKind) =>
  `(array_agg(t.tx_id order by t.id desc) filter (where t.purpose = '${name}'))[1]`;

const COLUMNS = `${shownColumns(costOf('d'))}, u.email as user, w.name as wallet, t.txid, t.activation_txid, t.reclaim_txid`;

/** With the names of what it points to; of an order whose reclaim expired, the txid of the newest. */
const from = (orders: string) => `${orders} d join users u on u.id = d.user_id join pool_wallets w on w.id = d.wallet_id
  left join lateral (
    select ${lastTxId(DELEGATION)} as txid, ${lastTxId(ACTIVATION)} as activation_txid, ${lastTxId(RECLAIM)} as reclaim_txid
      from chain_transactions t where t.subject_id = d.id) t on true`;
const FROM = from('delegations');

/** An order as an event for its user's webhooks has it. */
export interface WantedView extends OrderView {
  readonly event: OrderEventType;
  readonly now: string;
}

/** $1: orders; $2: what has become true of each of them. Nothing for users without a webhook for it, which is most of them. */
const WANTED = statement<[ids: readonly string[], events: readonly OrderEventType[]], WantedView>(
  'delegation_wanted_by_webhooks',
  `select ${COLUMNS}, e.event, ${utcMicroseconds('clock_timestamp()')} as now
     from unnest($1::uuid[], $2::text[]) as e (id, event) join (${from('delegations')}) on d.id = e.id
    where d.id = any($1::uuid[])
      and exists (select from webhooks w where w.user_id = d.user_id and ${wantsEvent('e.event')})`,
);

const FIND = statement<[id: string, userId: string | null, receivers: readonly string[] | null], OrderView>(
  'delegation_view',
  `select ${COLUMNS} from ${FROM}
    where d.id = $1 and ($2::uuid is null or d.user_id = $2) and ($3::text[] is null or d.receiver = any($3))`,
);

/** From `from` on: the orders `d` that a filter finds, in its order. One name per combination of filters: the text, and so the plan, is its own. */
export function criteria(filter: OrderCriteria): { name: string; values: readonly unknown[]; page: string } {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = ['true'];
  const sort = filter.sort ?? 'newest';
  if (filter.userId) where.push(`d.user_id = ${bind(filter.userId)}`);
  if (filter.receivers) where.push(`d.receiver = any(${bind(filter.receivers)}::text[])`);
  // In the text: only then is it certain that the index of the common state, or that of all others, is enough.
  if (filter.state) where.push(`d.state in ${sqlList([filter.state])}`);
  if (filter.receiver) where.push(`d.receiver = ${bind(filter.receiver)}`);
  if (filter.idempotencyKey) {
    where.push(`d.id = ${orderOf(keyHash(bind(filter.userId), bind(filter.idempotencyKey)))}`);
  }
  // An array is made first, and found by key: a plan that looks through all orders for the few would not end.
  if (filter.stuck) where.push(`d.id = any(array(${STUCK_ORDERS[filter.stuck]}))`);
  if (filter.txId) where.push(`d.id = ${orderWithTxId(bind(filter.txId))}`);
  if (filter.from) where.push(`d.created_at >= ${bind(filter.from)}`);
  if (filter.to) where.push(`d.created_at < ${bind(filter.to)}`);
  if (filter.before) {
    // A page cannot go on from an order out of scope, which must read like one that never was. The subquery names nothing from outside:
    // only then is it a fixed place to begin at in the index, and not read again for every row.
    const ofUser = filter.userId ? ` and b.user_id = ${bind(filter.userId)}` : '';
    const toReceivers = filter.receivers ? ` and b.receiver = any(${bind(filter.receivers)}::text[])` : '';
    where.push(afterRow(sort, `b.id = ${bind(filter.before)}${ofUser}${toReceivers}`));
  }
  const limit = filter.limit ? ` limit ${bind(filter.limit)}` : '';
  const found = where.join(' and ');
  const troubled = filter.troubled ? ` and d.id = any(array(${eachTroubled(found, `${orderBy(sort)}${limit}`)}))` : '';
  const { userId, receivers, state, receiver, idempotencyKey, txId, before, from: since, to: until } = filter;
  const given = [userId, receivers, state, receiver, idempotencyKey, txId, since, until, before, limit, troubled].map(
    (value) => (value ? 1 : 0),
  );
  return {
    name: `${given.join('')}${state ?? ''}${filter.stuck ?? ''}${sort === 'newest' ? '' : sort}`,
    values,
    page: `from delegations d where ${found}${troubled} ${orderBy(sort)}${limit}`,
  };
}

/** Each state has its place in an index, in which its newest stand together: all of them at once would be looked for among all orders. */
function eachTroubled(found: string, first: string): string {
  const states = [
    ...FREE_STATES.map((state) => `d.state in ${sqlList([state])}`),
    ...OPEN_STATES.map((state) => `d.state in ${sqlList([state])} and d.answer = 'failure'`),
  ];
  return states
    .map((state) => `(select d.id from delegations d where ${state} and ${found} ${first})`)
    .join(' union all ');
}

/** Orders with the names of what they point to, for their callers and for operators. */
@Injectable()
export class OrderLookup {
  constructor(private readonly sql: Sql) {}

  /** Paged by key. */
  async list(filter: OrderCriteria): Promise<OrderView[]> {
    const { name, values, page } = criteria(filter);
    const text = `select ${COLUMNS} from ${from(`(select ${SHOWN_AS_THEY_ARE} ${page})`)} ${orderBy(filter.sort ?? 'newest')}`;
    return this.sql.rows<readonly unknown[], OrderView>({ name: `delegation_list_${name}`, text }, values);
  }

  /** Null when there is none in this scope. */
  async find(id: string, { userId = null, receivers = null }: OrderScope = {}): Promise<OrderView | null> {
    return this.sql.row(FIND, [id, userId, receivers]);
  }

  /** In the transaction that has changed them. */
  wantedByWebhooks(
    tx: SqlTransaction,
    events: readonly { readonly id: string; readonly event: OrderEventType }[],
  ): Promise<WantedView[]> {
    return tx.rows(WANTED, [events.map(({ id }) => id), events.map(({ event }) => event)]);
  }
}
