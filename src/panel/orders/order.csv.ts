import { formatTrx } from '../../common/money/sun';
import type { OrderCriteria, OrderLookup, OrderView } from '../../delegation/lookup/order-lookup';
import { type CsvColumns, csvFile, csvText } from '../../common/csv';

const COLUMNS: CsvColumns<OrderView> = [
  ['id', (order) => order.id],
  ['ordered_at', (order) => order.created_at],
  ['state', (order) => order.state],
  ['answer', (order) => order.answer],
  ['answer_code', (order) => order.answer_code],
  ['receiver', (order) => order.receiver],
  ['transactions', (order) => order.transactions],
  ['energy', (order) => order.energy],
  ['price_trx', (order) => formatTrx(order.cost_sun)],
  ['paid_by', (order) => order.paid_by],
  ['txid', (order) => order.txid],
  ['activation_txid', (order) => order.activation_txid],
  ['reclaim_txid', (order) => order.reclaim_txid],
  ['answered_at', (order) => order.answered_at],
  ['delegated_at', (order) => order.delegated_at],
  ['reclaim_due_at', (order) => order.reclaim_due_at],
  ['reclaimed_at', (order) => order.reclaimed_at],
  ['idempotency_key', (order) => csvText(order.idempotency_key)],
];
const FOR_OPERATORS: CsvColumns<OrderView> = [
  ['customer', (order) => csvText(order.user)],
  ['wallet', (order) => csvText(order.wallet)],
];
const BATCH = 500;

/** The orders that a list shows, newest first. */
export function orderCsv(orders: OrderLookup, criteria: OrderCriteria, operating: boolean): AsyncGenerator<string> {
  return csvFile(operating ? [...COLUMNS, ...FOR_OPERATORS] : COLUMNS, (last) =>
    orders.list({ ...criteria, before: last?.id ?? null, limit: BATCH }),
  );
}
