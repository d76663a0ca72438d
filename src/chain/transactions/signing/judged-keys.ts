import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { SignerUnavailableError } from '../signer-process/signer-unavailable.error';
import { signerKeyId } from './key-source';
import { type KeyOwner, SigningKeyError, SigningKeys } from './signing-keys';
import type { KeyRole } from './wallet-role';

/** What a wallet goes without while a key of this role signs nothing new. */
export const LOST: Readonly<Record<KeyRole, string>> = {
  delegate: 'it takes no orders',
  activate: 'it takes no orders',
  care: 'its stake has no care',
};

/** What a key may do is not known yet: that has to be asked first. */
export class UnjudgedKeyError extends SigningKeyError {
  override readonly isPassing = true;

  constructor({ name, role, keySource }: KeyOwner) {
    const inSigner = signerKeyId(keySource) !== null;
    const reason = inSigner ? ', which is in the signer' : ' (POWERFUL_KEYS=refuse)';
    const message = `wallet ${name}: ${LOST[role]} before it is known what its key may do${reason}`;
    super(message, inSigner ? 'SIGNER_UNAVAILABLE' : 'INTERNAL');
    this.name = 'UnjudgedKeyError';
  }
}

/**
 * A key of the signer signs nothing new before its address was found in the wallet's permission: the signer may have been started with
 * another one. Where `POWERFUL_KEYS=refuse` says so, no key does before it was judged, in each process for itself. A verdict is of one key
 * in one place: another key, permission or role has none. Reclaims need no verdict: what is lent has to come back.
 */
@Injectable()
export class JudgedKeys {
  /** Null: it may be used; otherwise why not. */
  private readonly verdicts = new Map<string, string | null>();

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'powerfulKeys'>,
    private readonly keys: SigningKeys,
  ) {}

  get areAsked(): boolean {
    return this.configuration.powerfulKeys === 'refuse';
  }

  /** Whether this key needs a verdict. */
  asks({ keySource }: Pick<KeyOwner, 'keySource'>): boolean {
    return this.areAsked || signerKeyId(keySource) !== null;
  }

  /** Why the wallet's key may sign nothing new, or null. */
  faultOf(owner: KeyOwner): SigningKeyError | null {
    const fault = this.keys.faultOf(owner) ?? this.keys.pauseOf(owner);
    if (fault || !this.asks(owner)) return fault;
    try {
      this.require(owner, this.keys.keyAddress(owner));
      return null;
    } catch (error) {
      if (error instanceof SigningKeyError) return error;
      throw error;
    }
  }

  /** Checks the key that is about to sign. @throws SigningKeyError */
  require(owner: KeyOwner, keyAddress: string): void {
    if (!this.asks(owner)) return;
    const verdict = this.verdicts.get(subjectOf(owner, keyAddress));
    if (verdict === undefined) throw new UnjudgedKeyError(owner);
    if (verdict === null) return;
    const inSigner = signerKeyId(owner.keySource) !== null;
    const because = this.areAsked && !inSigner ? ' (POWERFUL_KEYS=refuse)' : '';
    const message = `wallet ${owner.name}: ${LOST[owner.role]}${because}: ${verdict}`;
    throw inSigner ? new SignerUnavailableError(message) : new SigningKeyError(message);
  }

  /** Whether that is news. */
  judged(owner: KeyOwner, keyAddress: string, verdict: string | null): boolean {
    const subject = subjectOf(owner, keyAddress);
    const before = this.verdicts.get(subject) ?? null;
    this.verdicts.set(subject, verdict);
    return before !== verdict;
  }
}

function subjectOf({ address, role, permissionId }: KeyOwner, keyAddress: string): string {
  return [address, role, permissionId, keyAddress].join(' ');
}
