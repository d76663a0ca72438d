/**
 * `planned`: its bytes exist, and are not signed here; `signed`: their signature is committed, and they wait to be sent; `sent`: they are in
 * the outbox; `refused`: no node took them, and they are not sent again, but could land until they expire; `included`, `final`: in a block;
 * `expired`: in no block by their expiration; `failed`: in a final block, as a call that moved nothing, or of
 * which nothing can be proved.
 */
export const SWEEP_STATES = ['planned', 'signed', 'sent', 'refused', 'included', 'final', 'expired', 'failed'] as const;
export type SweepState = (typeof SWEEP_STATES)[number];

const OPEN_STATES: readonly SweepState[] = ['planned', 'signed', 'sent', 'refused', 'included'];
/** SQL: its address has no other sweep of the asset. */
export const IS_OPEN_SWEEP = `state in ('${OPEN_STATES.join("', '")}')`;
