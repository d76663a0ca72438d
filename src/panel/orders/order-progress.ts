import type { OrderView } from '../../delegation/lookup/order-lookup';
import { OPEN_STATES } from '../../common/order.states';
import type { Messages } from '../messages/catalogues';

type Order = Pick<OrderView, 'state' | 'answer' | 'txid' | 'activation_txid'>;

export function isOpen({ state }: Pick<Order, 'state'>): boolean {
  return OPEN_STATES.includes(state);
}

/** The caller was answered with a failure, but the transaction may still be included. */
export function mayStillLand(order: Order): boolean {
  return order.answer === 'failure' && isOpen(order);
}

/** The outcome of its delegation transaction, or what is still possible. */
export function progressOf(order: Order): keyof Messages['answer']['outcomes'] {
  const { state, answer, txid, activation_txid: activationTxid } = order;
  if (state === 'activating') return 'activating';
  if (isOpen(order)) return mayStillLand(order) ? 'mayLand' : 'open';
  if (state === 'failed') {
    if (txid === null) return activationTxid === null ? 'unsigned' : 'activationOnly';
    return answer === 'success' ? 'lost' : 'neverLanded';
  }
  if (state === 'taking_back') return 'takingBack';
  if (state === 'taken_back') return 'takenBack';
  return state === 'reclaimed' ? 'reclaimed' : 'lent';
}

/** The answer decides; without a success nothing is owed for what never landed. */
export function isFree({ state, answer }: Pick<Order, 'state' | 'answer'>): boolean {
  return answer === 'failure' || state === 'failed' || state === 'taking_back' || state === 'taken_back';
}
