export const WALLETS_PATH = '/panel/operator/wallets';

export function walletPath({ id }: { readonly id: string }): string {
  return `${WALLETS_PATH}/${id}`;
}
