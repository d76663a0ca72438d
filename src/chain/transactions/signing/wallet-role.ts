/** What a wallet's key signs: delegations and reclaims, or activations. */
export const WALLET_ROLES = ['delegate', 'activate'] as const;
export type WalletRole = (typeof WALLET_ROLES)[number];

/** The key of a wallet's care is one more, with a permission of its own: it signs votes, claims and stake. */
export type KeyRole = WalletRole | 'care';
