import { LENT_STATES, OPEN_STATES, sqlList } from '../../delegation/order.states';

/*
 * What a wallet's stake depends on. The one file of delegation that this room imports: it is a list of words and imports nothing.
 */

/** SQL: its delegation is not settled yet. */
export const IS_OPEN_ORDER = `state in ${sqlList(OPEN_STATES)}`;
/** SQL: its stake is with the receiver. */
export const IS_LENT_ORDER = `state in ${sqlList(LENT_STATES)}`;
/** SQL: its stake is, or may still be, with the receiver. */
export const IS_LIVE_ORDER = `state in ${sqlList([...OPEN_STATES, ...LENT_STATES])}`;
