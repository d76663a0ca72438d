import { trxNumber, type RawJson } from '../../common/money/json-number';
import type { OrderView } from './order-lookup';

/** What a caller sees of an order; how the service is run (wallets, stakes, errors) stays inside. */
export function presentOrder(view: OrderView): Record<string, unknown> {
  return {
    id: view.id,
    state: view.state,
    answer: view.answer,
    receiver_address: view.receiver,
    amount: decimalNumber(view.transactions),
    energy: decimalNumber(view.energy.toString()),
    time: view.rental_minutes,
    cost: trxNumber(view.cost_sun),
    paid_by: view.paid_by,
    txid: view.txid,
    activation_txid: view.activation_txid,
    reclaim_txid: view.reclaim_txid,
    idempotency_key: view.idempotency_key,
    created_at: view.created_at,
    answered_at: view.answered_at,
    delegated_at: view.delegated_at,
    reclaim_due_at: view.reclaim_due_at,
    reclaimed_at: view.reclaimed_at,
  };
}

function decimalNumber(text: string): RawJson {
  return JSON.rawJSON(text);
}
