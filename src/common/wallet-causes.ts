/** In the order in which they are looked for: without its key, what a wallet has does not matter. */
const WALLET_FAULTS = ['key', 'unread', 'rests', 'stake', 'fees'] as const;
export type WalletFault = (typeof WALLET_FAULTS)[number];

/** Why a wallet lends nothing, or should perhaps not; the worst first. `despite`: it lends although something is found of it. */
export const WALLET_CAUSES = ['despite', 'quarantined', ...WALLET_FAULTS, 'paused', 'draining'] as const;
export type WalletCause = (typeof WALLET_CAUSES)[number];
