/** `failed`: dead or never sent. `taking_back`: landed although the caller was told it failed. */
export const ORDER_STATES = [
  'pending',
  'activating',
  'sent',
  'included',
  'delegated',
  'reclaiming',
  'reclaimed',
  'failed',
  'taking_back',
  'taken_back',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The one place that says what may follow what; every change of state is a conditional update that goes through `statesBefore`. */
const MAY_FOLLOW: Readonly<Record<OrderState, readonly OrderState[]>> = {
  pending: ['sent', 'included', 'delegated', 'taking_back', 'failed'],
  // Its receiver exists: the delegation is signed.
  activating: ['pending', 'failed'],
  sent: ['included', 'delegated', 'taking_back', 'failed'],
  // A fork can drop the block again.
  included: ['sent', 'delegated', 'taking_back', 'failed'],
  delegated: ['reclaiming'],
  reclaiming: ['reclaimed'],
  reclaimed: [],
  failed: [],
  taking_back: ['taken_back'],
  taken_back: [],
};

/** The states that may change into `state`. */
export function statesBefore(state: OrderState): OrderState[] {
  return ORDER_STATES.filter((from) => MAY_FOLLOW[from].includes(state));
}

/** The delegation transaction is not settled: its stake is reserved and its money held (unless the caller was told of a failure). */
export const OPEN_STATES: readonly OrderState[] = ['pending', 'activating', 'sent', 'included'];
/** On chain: the stake is with the receiver. */
export const LENT_STATES: readonly OrderState[] = ['delegated', 'reclaiming', 'taking_back'];
