import type { OrderState } from './types.ts';

/** The way of an order that succeeds. A state that was passed has come, too. */
const SUCCESS: readonly OrderState[] = [
  'activating',
  'pending',
  'sent',
  'included',
  'delegated',
  'reclaiming',
  'reclaimed',
];
/** The ends of one that does not: not charged. `taking_back`: it landed after its failure was answered. */
const FAILURE: readonly OrderState[] = ['taking_back', 'taken_back'];
/** From here on an order is charged, and cannot fail any more. */
const CHARGED: OrderState = 'delegated';

/** Whether an order in this state has been in the wanted one, or still can be; `never`: it went another way. */
export function progress(state: OrderState, wanted: OrderState): 'reached' | 'coming' | 'never' {
  if (state === wanted) return 'reached';
  if (state === 'failed') return 'never';
  const [failing, rank] = [FAILURE.indexOf(state), SUCCESS.indexOf(state)];
  if (failing >= 0) {
    const awaited = FAILURE.indexOf(wanted);
    if (awaited < 0) return 'never';
    return awaited < failing ? 'reached' : 'coming';
  }
  const awaited = SUCCESS.indexOf(wanted);
  if (awaited < 0) return rank >= SUCCESS.indexOf(CHARGED) ? 'never' : 'coming';
  return rank > awaited ? 'reached' : 'coming';
}
