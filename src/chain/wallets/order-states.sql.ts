/**
 * The order states that a wallet's stake depends on, written out because this room may not import delegation's lists (order.states.ts);
 * a test compares both.
 */
export const OPEN_ORDER_STATES = ['pending', 'activating', 'sent', 'included'] as const;
export const LENT_ORDER_STATES = ['delegated', 'reclaiming', 'taking_back'] as const;

const inStates = (states: readonly string[]) => `state in ('${states.join("', '")}')`;

/** SQL: its delegation is not settled yet. */
export const IS_OPEN_ORDER = inStates(OPEN_ORDER_STATES);
/** SQL: its stake is with the receiver. */
export const IS_LENT_ORDER = inStates(LENT_ORDER_STATES);
/** SQL: its stake is, or may still be, with the receiver. */
export const IS_LIVE_ORDER = inStates([...OPEN_ORDER_STATES, ...LENT_ORDER_STATES]);
