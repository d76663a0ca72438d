import { HDKey } from '@scure/bip32';

/** m/44'/195'/0' */
const ACCOUNT_DEPTH = 3;
/** Receiving addresses are below it: 0/i. */
const RECEIVING = 0;

/**
 * The public key of an account, of which those of all its addresses follow. With it and one child's private key all private keys follow: it
 * is kept where neither JSON nor a log shows it, and its text is kept nowhere.
 */
export class ExtendedPublicKey {
  readonly #receiving: HDKey;
  readonly #fingerprint: string;

  private constructor(account: HDKey) {
    this.#receiving = account.deriveChild(RECEIVING);
    this.#fingerprint = (account.fingerprint >>> 0).toString(16).padStart(8, '0');
  }

  /** Or a sentence about the text that follows its setting's name and does not repeat it. */
  static read(text: string): ExtendedPublicKey | string {
    // A private one has another version.
    if (text.startsWith('xprv'))
      return 'must be the public key of the account (xpub…): this is its private key, which belongs on no server';
    try {
      const key = HDKey.fromExtendedKey(text);
      if (key.depth === ACCOUNT_DEPTH) return new ExtendedPublicKey(key);
    } catch {
      // It is said below.
    }
    return "must be the extended public key (xpub…) of an account, of the path m/44'/195'/0'";
  }

  /** Tells accounts apart, and says nothing of the key. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** The compressed public key of the address 0/number. */
  publicKeyAt(number: number): Uint8Array {
    return this.#receiving.deriveChild(number).publicKey!;
  }
}
