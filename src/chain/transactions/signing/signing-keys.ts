import { Injectable } from '@nestjs/common';
import { SignerKeys } from '../signer-process/signer-keys';
import type { KeyOwner } from './key-owner';
import { signerKeyId } from './key-source';
import { OwnKeys } from './own-keys';
import type { Signer, SigningPlan } from './signer';
import { SigningKeyError } from './signing-key.error';

export type { KeyOwner } from './key-owner';
export { SigningKeyError } from './signing-key.error';

/** The keys of all wallets, in this process or in the signer's, by what a wallet's row says of its key. */
@Injectable()
export class SigningKeys implements Signer {
  constructor(
    private readonly own: OwnKeys,
    private readonly signer: SignerKeys,
  ) {}

  /** @throws SigningKeyError */
  async sign({ wallet, kind }: SigningPlan, rawData: Buffer): Promise<string> {
    const id = signerKeyId(wallet.keySource);
    if (id === null) return this.own.sign(wallet, rawData);
    return this.signer.sign(wallet, id, rawData, kind.takesBack === true);
  }

  /** The address that belongs to the key: the wallet's own, or one of its permission. @throws SigningKeyError */
  keyAddress(owner: KeyOwner): string {
    const id = signerKeyId(owner.keySource);
    return id === null ? this.own.keyAddress(owner) : this.signer.keyAddress(owner, id);
  }

  /** The error for a signature that is not of this address; null where the key lies in this process, which is a fault of its own. */
  wrongSignature(owner: KeyOwner, address: string): SigningKeyError | null {
    const id = signerKeyId(owner.keySource);
    return id === null ? null : this.signer.wrongSignature(owner, id, address);
  }

  /** Why the key cannot be used, or null. */
  faultOf(owner: KeyOwner): SigningKeyError | null {
    return faultIn(() => this.keyAddress(owner));
  }

  /** Why the key signs nothing new for now, or null: the signer has refused the last one, as at its limit. What is lent can come back. */
  pauseOf(owner: KeyOwner): SigningKeyError | null {
    const id = signerKeyId(owner.keySource);
    return id === null ? null : this.signer.pauseOf(owner, id);
  }

  /** Asks the signer for its keys now, where the wallet's is one of them. */
  async look(owner: KeyOwner): Promise<void> {
    if (signerKeyId(owner.keySource) !== null) await this.signer.look();
  }
}

function faultIn(read: () => unknown): SigningKeyError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof SigningKeyError) return error;
    throw error;
  }
}
