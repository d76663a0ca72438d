import type { OrderView } from '../../delegation/lookup/order-lookup';
import { OPEN_STATES } from '../../delegation/order.states';
import type { AnswerMessages } from '../messages/answer.messages';

type Order = Pick<OrderView, 'state' | 'answer' | 'txid' | 'activation_txid'>;

export function isOpen({ state }: Pick<Order, 'state'>): boolean {
  return OPEN_STATES.includes(state);
}

/** The caller was given a failure, and what was sent is not proved dead yet. */
export function mayStillLand(order: Order): boolean {
  return order.answer === 'failure' && isOpen(order);
}

/** What became of its delegation transaction, or can still become of it. */
export function progressOf(order: Order): keyof AnswerMessages['outcomes'] {
  const { state, answer, txid, activation_txid: activationTxid } = order;
  if (state === 'activating') return 'activating';
  if (isOpen(order)) return mayStillLand(order) ? 'mayLand' : 'open';
  if (state === 'failed') {
    if (txid === null) return activationTxid === null ? 'unsigned' : 'activationOnly';
    return answer === 'success' ? 'lost' : 'dead';
  }
  if (state === 'taking_back') return 'takingBack';
  if (state === 'taken_back') return 'takenBack';
  return state === 'reclaimed' ? 'over' : 'lent';
}

/** What was answered decides it; without a success nothing is owed for what never landed. */
export function isFree({ state, answer }: Pick<Order, 'state' | 'answer'>): boolean {
  return answer === 'failure' || state === 'failed' || state === 'taking_back' || state === 'taken_back';
}
