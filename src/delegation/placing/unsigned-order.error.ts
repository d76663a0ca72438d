import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { SignerUnavailableError } from '../../chain/transactions/signer-process/signer-unavailable.error';

/** The signer signs nothing for the wallet that was to lend. Nothing was written, so another wallet may take the order. */
export class UnsignedOrderError extends Error {
  constructor(
    readonly wallet: Pick<WalletRow, 'id'>,
    override readonly cause: SignerUnavailableError,
  ) {
    super(cause.message);
    this.name = 'UnsignedOrderError';
  }
}
