/** `failed`: dead or never sent. `taking_back`: landed although it was answered with a failure. */
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

/** The one place that says what may follow what. Every change of state is an update conditional on the state before. */
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

/** What an order is in once its stake is back. */
export function stateTakenBack(state: OrderState): OrderState {
  return state === 'taking_back' ? 'taken_back' : 'reclaimed';
}

/** The delegation transaction is not settled: its stake is reserved and its money held (unless it was answered with a failure). */
export const OPEN_STATES: readonly OrderState[] = ['pending', 'activating', 'sent', 'included'];
/** On chain: the stake is with the receiver. */
export const LENT_STATES: readonly OrderState[] = ['delegated', 'reclaiming', 'taking_back'];
/** The delegation is solid and its money taken. */
export const CHARGED_STATES: readonly OrderState[] = ['delegated', 'reclaiming', 'reclaimed'];
/** Dead, or landed although it was answered with a failure: it costs nothing. */
export const FREE_STATES: readonly OrderState[] = ['failed', 'taking_back', 'taken_back'];
/** The stake is back with its wallet. */
export const TAKEN_BACK_STATES: readonly OrderState[] = ['reclaimed', 'taken_back'];
/** Nothing follows. */
export const FINISHED_STATES: readonly OrderState[] = ['reclaimed', 'failed', 'taken_back'];
/** What nearly all orders end in. These of a user have an index, and all others have one. */
export const COMMON_STATE: OrderState = 'reclaimed';
/** Nothing was taken for it, and for some nothing ever will be. In the order of the index `delegations_unpaid_activations`. */
export const UNCHARGED_STATES: readonly OrderState[] = ['activating', 'pending', 'sent', 'included', ...FREE_STATES];

/** For the text of a statement: `state in ${sqlList(LENT_STATES)}`. */
export function sqlList(states: readonly OrderState[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}

/** SQL: its delegation is not settled yet. */
export const IS_OPEN_ORDER = `state in ${sqlList(OPEN_STATES)}`;
/** SQL: money was taken for an order `d`. */
export const IS_CHARGED_ORDER = `d.answer <> 'failure' and d.state in ${sqlList(CHARGED_STATES)}`;
/** SQL: its stake is with the receiver. */
export const IS_LENT_ORDER = `state in ${sqlList(LENT_STATES)}`;
/** SQL: its stake is, or may still be, with the receiver. */
export const IS_LIVE_ORDER = `state in ${sqlList([...OPEN_STATES, ...LENT_STATES])}`;
