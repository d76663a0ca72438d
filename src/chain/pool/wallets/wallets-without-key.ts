import { Injectable } from '@nestjs/common';
import { JudgedKeys, UnjudgedKeyError } from '../../transactions/signing/judged-keys';
import { type SigningKeyError, SigningKeys } from '../../transactions/signing/signing-keys';
import { PoolWalletRepository } from './pool-wallet.repository';
import { keyOwner, type WalletRow } from './wallet-row';

/** Wallets that lend, and whose key this instance cannot read. Another one may have it. */
@Injectable()
export class WalletsWithoutKey {
  constructor(
    private readonly wallets: PoolWalletRepository,
    private readonly keys: SigningKeys,
    private readonly judged: JudgedKeys,
  ) {}

  /** No active wallet that lends takes orders by its key, and at least one does not for the signer's sake. */
  async areNoneLeftBySigner(): Promise<boolean> {
    const wallets = (await this.wallets.findReadable()).filter(
      ({ role, state }) => role === 'delegate' && state === 'active',
    );
    const faults = wallets.map((wallet) => this.refusalOf(wallet));
    return faults.every((fault) => fault !== null) && faults.some((fault) => fault?.code === 'SIGNER_UNAVAILABLE');
  }

  /** A key that waits for its verdict is judged with the next order. */
  private refusalOf(wallet: WalletRow): SigningKeyError | null {
    const fault = this.judged.faultOf(keyOwner(wallet));
    return fault instanceof UnjudgedKeyError ? null : fault;
  }

  /** By the wallet's id, why it takes back nothing: no verdict and no pause matters for that. */
  async find(): Promise<ReadonlyMap<string, string>> {
    const faults = new Map<string, string>();
    for (const wallet of await this.wallets.findReadable()) {
      const fault = wallet.role === 'delegate' ? this.keys.faultOf(keyOwner(wallet)) : null;
      if (fault) faults.set(wallet.id, fault.message);
    }
    return faults;
  }
}
