import { formatTrx } from '../../common/money/sun';
import type { OrderCriteria, OrderLookup, OrderView } from '../../delegation/lookup/order-lookup';
import { csvHeading, csvLine, csvText } from '../csv/csv';

const HEADING = [
  'id',
  'ordered_at',
  'state',
  'answer',
  'answer_code',
  'receiver',
  'transactions',
  'energy',
  'price_trx',
  'paid_by',
  'txid',
  'activation_txid',
  'reclaim_txid',
  'answered_at',
  'delegated_at',
  'reclaim_due_at',
  'reclaimed_at',
  'idempotency_key',
] as const;
const FOR_OPERATORS = ['customer', 'wallet'] as const;
const BATCH = 500;

/** The orders that a list shows, newest first, streamed. */
export async function* orderCsv(
  orders: OrderLookup,
  criteria: OrderCriteria,
  operating: boolean,
): AsyncGenerator<string> {
  yield csvHeading(operating ? [...HEADING, ...FOR_OPERATORS] : HEADING);
  let before: string | null = null;
  for (;;) {
    const found: OrderView[] = await orders.list({ ...criteria, before, limit: BATCH });
    if (found.length === 0) return;
    yield found.map((order) => line(order, operating)).join('');
    before = found.at(-1)!.id;
  }
}

function line(order: OrderView, operating: boolean): string {
  return csvLine([
    order.id,
    order.created_at,
    order.state,
    order.answer,
    order.answer_code,
    order.receiver,
    order.transactions,
    order.energy,
    formatTrx(order.cost_sun),
    order.paid_by,
    order.txid,
    order.activation_txid,
    order.reclaim_txid,
    order.answered_at,
    order.delegated_at,
    order.reclaim_due_at,
    order.reclaimed_at,
    csvText(order.idempotency_key),
    ...(operating ? [csvText(order.user), csvText(order.wallet)] : []),
  ]);
}
