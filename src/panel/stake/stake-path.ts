import { walletPath } from '../wallets/wallet-path';

export function stakePath(wallet: { readonly id: string }): string {
  return `${walletPath(wallet)}/stake`;
}
