import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english';
import { signDigest } from '../../../chain/transactions/signing/sign-digest';
import { hexOfPublicKey } from '../../../chain/tron/addresses';
import { DomainError } from '../../../common/errors/domain.error';

const ACCOUNT_DEPTH = 3;
const ACCOUNT_PATH = "m/44'/195'/0'";
const RECEIVING = 0;

/** The private keys of an account's addresses: they leave this object as signatures alone. */
export class SweepKeys {
  readonly #receiving: HDKey;

  private constructor(account: HDKey) {
    this.#receiving = account.deriveChild(RECEIVING);
  }

  /** English words, without a passphrase. @throws DomainError */
  static ofMnemonic(text: string): SweepKeys {
    const words = text.trim().split(/\s+/).join(' ');
    if (!validateMnemonic(words, wordlist)) throw unfit('it holds no mnemonic of English words');
    return new SweepKeys(HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(ACCOUNT_PATH));
  }

  /** The account's extended private key, or the one at the root. @throws DomainError */
  static ofExtendedKey(text: string): SweepKeys {
    const key = read(text.trim());
    if (!key?.privateKey) throw unfit('it holds no extended private key (xprv…)');
    if (key.depth === 0) return new SweepKeys(key.derive(ACCOUNT_PATH));
    if (key.depth === ACCOUNT_DEPTH) return new SweepKeys(key);
    throw unfit(`its key is neither the account's (${ACCOUNT_PATH}) nor the one at the root`);
  }

  /** `41…` in hex. */
  addressAt(number: number): string {
    return hexOfPublicKey(this.#receiving.deriveChild(number).publicKey!);
  }

  signAt(number: number, digestHex: string): string {
    const child = this.#receiving.deriveChild(number);
    try {
      return signDigest(digestHex, Buffer.from(child.privateKey!).toString('hex')).toLowerCase();
    } finally {
      child.wipePrivateData();
    }
  }
}

function read(text: string): HDKey | null {
  try {
    return HDKey.fromExtendedKey(text);
  } catch {
    return null;
  }
}

const unfit = (reason: string) => new DomainError('sweep.key-file-unfit', { reason });
