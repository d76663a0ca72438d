export const ASSETS = ['TRX', 'USDT'] as const;
export type Asset = (typeof ASSETS)[number];

/** `seen`: in a block, and not yet credited. `waiting`: for a rate, or for an operator. `dropped`: its block is gone, or it was never final. */
export const DEPOSIT_STATES = ['seen', 'credited', 'too_small', 'waiting', 'dropped'] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number];

/**
 * `rate`: no rate was in force when its block was made, or one that was too old. `operator`: the ledger has refused it, no balance can hold
 * it, or its block was accepted without proof.
 */
export const WAITING_FOR = ['rate', 'operator'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];
