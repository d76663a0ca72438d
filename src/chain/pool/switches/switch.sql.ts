/** What the service begins of itself, each with a switch of its own that holds for every instance: the id of its row. */
export const SWITCHES = { orders: 1, reclaims: 2 } as const;
export type SwitchName = keyof typeof SWITCHES;

/** SQL: an operator has paused it (orders:pause, reclaims:pause). */
export const isPaused = (name: SwitchName): string =>
  `exists (select from order_switch where id = ${SWITCHES[name]} and paused_at is not null)`;

/**
 * SQL: it is not paused, and an operator who pauses it waits for the end of this transaction: once a pause is acknowledged, nothing
 * begins that did not see it.
 */
export const staysOn = (name: SwitchName): string => `
  (exists (select from order_switch where id = ${SWITCHES[name]} and paused_at is null for share)
   or not exists (select from order_switch where id = ${SWITCHES[name]}))`;
