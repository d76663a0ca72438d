import { Injectable } from '@nestjs/common';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { type KeyedWallet, keyOwner } from '../chain/pool/wallets/wallet-row';
import { signerKeyId } from '../chain/transactions/signing/key-source';
import { JudgedKeys, UnjudgedKeyError } from '../chain/transactions/signing/judged-keys';
import { CareRepository } from './care.repository';

export interface KeyView {
  readonly wallet: KeyedWallet;
  /** Its id in the signer; null: the key lies in the service's own process. */
  readonly signerKey: string | null;
  /** Why the signer signs nothing by it now, or null. */
  readonly signerFault: string | null;
}

/** Every key of the pool, with those of care: where it is, and what this instance knows of it. */
@Injectable()
export class EveryKey {
  constructor(
    private readonly pool: PoolWallets,
    private readonly cares: CareRepository,
    private readonly keys: JudgedKeys,
  ) {}

  async list(): Promise<KeyView[]> {
    const wallets: KeyedWallet[] = [...(await this.pool.list()), ...(await this.cares.list())];
    return wallets.map((wallet) => {
      const signerKey = signerKeyId(wallet.key_source);
      return { wallet, signerKey, signerFault: signerKey === null ? null : this.faultOf(wallet) };
    });
  }

  private faultOf(wallet: KeyedWallet): string | null {
    const fault = this.keys.faultOf(keyOwner(wallet));
    // An order, or the next look at the keys, asks for the verdict.
    return fault instanceof UnjudgedKeyError ? null : (fault?.message ?? null);
  }
}
