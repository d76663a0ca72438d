/** What a wallet's key signs: delegations and reclaims, or activations. */
export const WALLET_ROLES = ['delegate', 'activate'] as const;
export type WalletRole = (typeof WALLET_ROLES)[number];
