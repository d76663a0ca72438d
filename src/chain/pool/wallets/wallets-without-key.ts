import { Injectable } from '@nestjs/common';
import { SigningKeys } from '../../transactions/signing/signing-keys';
import { PoolWalletRepository } from './pool-wallet.repository';
import { keyOwner } from './wallet-row';

/** Wallets that lend, and whose key this instance cannot read. Another one may have it. */
@Injectable()
export class WalletsWithoutKey {
  constructor(
    private readonly wallets: PoolWalletRepository,
    private readonly keys: SigningKeys,
  ) {}

  /** Every active wallet that lends lacks its key, and at least one for the signer's sake. */
  async areNoneLeftBySigner(): Promise<boolean> {
    const wallets = (await this.wallets.findReadable()).filter(
      ({ role, state }) => role === 'delegate' && state === 'active',
    );
    const faults = wallets.map((wallet) => this.keys.faultOf(keyOwner(wallet)));
    return faults.every((fault) => fault !== null) && faults.some((fault) => fault?.code === 'SIGNER_UNAVAILABLE');
  }

  /** By the wallet's id, why not. */
  async find(): Promise<ReadonlyMap<string, string>> {
    const faults = new Map<string, string>();
    for (const wallet of await this.wallets.findReadable()) {
      const fault = wallet.role === 'delegate' ? this.keys.faultOf(keyOwner(wallet)) : null;
      if (fault) faults.set(wallet.id, fault.message);
    }
    return faults;
  }
}
