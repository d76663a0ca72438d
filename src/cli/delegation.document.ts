import { formatTrx } from '../common/money/sun';
import type { OrderView, HistoryEntry } from '../delegation/lookup/order-lookup';
import type { Document } from './output';

export const DELEGATION_COLUMNS = [
  'id',
  'user',
  'receiver',
  'transactions',
  'state',
  'answer',
  'cost',
  'paid_by',
  'txid',
  'created_at',
] as const;

export function delegationDocument(view: OrderView, history: readonly HistoryEntry[]): Document {
  const { energy, stake_sun, shortage_sun, cost_sun, transactions, ...rest } = view;
  return {
    ...rest,
    transactions: JSON.rawJSON(transactions),
    energy: Number(energy),
    stake_sun: stake_sun.toString(),
    shortage_sun: shortage_sun.toString(),
    cost: formatTrx(cost_sun),
    history,
  };
}
