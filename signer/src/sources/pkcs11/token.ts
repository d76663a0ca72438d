import type { Handle, PKCS11, Template } from 'pkcs11js';
import { completeSignature } from '../../curve/signature';
import { reasonOf } from '../../refusal';
import { WrongSignatureError } from '../signing.key';
import type { TokenSettings } from './messages';

type Library = typeof import('pkcs11js');

/** The curve secp256k1 (1.3.132.0.10), as CKA_EC_PARAMS names it. */
const CURVE = Buffer.from('06052b8104000a', 'hex');
/** CKA_EC_POINT: an octet string of 65 bytes, of which the first is 4. */
const POINT_HEAD = Buffer.from('044104', 'hex');
const SIGNATURE_BYTES = 64;

interface OpenedKey {
  readonly session: Handle;
  readonly privateKey: Handle;
}

/** A token locks itself after a few wrong PINs, so one is tried once, for all keys. */
export class RefusedPinError extends Error {}

/** @throws Error */
export async function openToken(settings: TokenSettings): Promise<Token> {
  const library = await loadLibrary();
  return new Token(library, loadModule(library, settings.module), settings);
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import('pkcs11js');
  } catch (error) {
    throw new Error('source.pkcs11 needs the package pkcs11js, which is not installed, or could not be compiled', {
      cause: error,
    });
  }
}

function loadModule({ PKCS11 }: Library, path: string): PKCS11 {
  const loaded = new PKCS11();
  try {
    loaded.load(path);
    loaded.C_Initialize();
  } catch (error) {
    throw new Error(`source.pkcs11.module ${path} cannot be loaded: ${reasonOf(error)}`, { cause: error });
  }
  return loaded;
}

/** A session for each key, by its label. It is opened again after a failure. */
export class Token {
  private readonly keys = new Map<string, OpenedKey>();

  constructor(
    private readonly library: Library,
    private readonly module: PKCS11,
    private readonly settings: TokenSettings,
  ) {}

  /** The public key. @throws Error */
  open(label: string): Buffer {
    const { CKO_PRIVATE_KEY, CKO_PUBLIC_KEY, CKF_SERIAL_SESSION } = this.library;
    const session = this.module.C_OpenSession(this.findSlot(), CKF_SERIAL_SESSION);
    try {
      this.logIn(session);
      const privateKey = this.findKey(session, label, CKO_PRIVATE_KEY, 'private');
      const publicKey = this.readPoint(session, this.findKey(session, label, CKO_PUBLIC_KEY, 'public'));
      this.keys.set(label, { session, privateKey });
      return publicKey;
    } catch (error) {
      this.close(label, session);
      throw error;
    }
  }

  /** @throws Error */
  sign(label: string, digest: Buffer, publicKey: Buffer): Buffer {
    if (!this.keys.has(label) && !this.open(label).equals(publicKey)) throw new WrongSignatureError();
    const { session, privateKey } = this.keys.get(label)!;
    try {
      this.module.C_SignInit(session, { mechanism: this.library.CKM_ECDSA }, privateKey);
      const compact = this.module.C_Sign(session, digest, Buffer.alloc(SIGNATURE_BYTES));
      const signature = completeSignature(compact, 'compact', digest, publicKey);
      if (!signature) throw new WrongSignatureError();
      return signature;
    } catch (error) {
      this.close(label, session);
      throw error;
    }
  }

  private close(label: string, session: Handle): void {
    this.keys.delete(label);
    try {
      this.module.C_CloseSession(session);
    } catch {
      // A token that was taken out has no session left.
    }
  }

  private findSlot(): Handle {
    const slots = this.module.C_GetSlotList(true);
    const found = slots.filter((slot) => this.module.C_GetTokenInfo(slot).label.trimEnd() === this.settings.token);
    if (found.length !== 1) throw new Error(`source.pkcs11.token: ${found.length} tokens have this label`);
    return found[0]!;
  }

  /** Sessions of a token share its login. */
  private logIn(session: Handle): void {
    const { CKU_USER, CKR_USER_ALREADY_LOGGED_IN, CKR_PIN_INCORRECT, CKR_PIN_LOCKED } = this.library;
    try {
      this.module.C_Login(session, CKU_USER, this.settings.pin);
    } catch (error) {
      const { code } = error as { code?: number };
      if (code === CKR_USER_ALREADY_LOGGED_IN) return;
      if (code === CKR_PIN_INCORRECT || code === CKR_PIN_LOCKED) throw new RefusedPinError(reasonOf(error));
      throw error;
    }
  }

  private findKey(session: Handle, label: string, type: number, name: string): Handle {
    const { CKA_CLASS, CKA_LABEL } = this.library;
    const template: Template = [
      { type: CKA_CLASS, value: type },
      { type: CKA_LABEL, value: label },
    ];
    this.module.C_FindObjectsInit(session, template);
    const found = this.module.C_FindObjects(session, 2);
    this.module.C_FindObjectsFinal(session);
    if (found.length !== 1)
      throw new Error(`source.pkcs11.label: ${found.length === 0 ? 'no' : 'more than one'} ${name} key has this label`);
    return found[0]!;
  }

  private readPoint(session: Handle, key: Handle): Buffer {
    const { CKA_EC_PARAMS, CKA_EC_POINT } = this.library;
    const [curve, point] = this.module
      .C_GetAttributeValue(session, key, [{ type: CKA_EC_PARAMS }, { type: CKA_EC_POINT }])
      .map(({ value }) => value);
    if (!curve?.equals(CURVE)) throw new Error('source.pkcs11: the key is not of the curve secp256k1');
    if (!point?.subarray(0, POINT_HEAD.length).equals(POINT_HEAD))
      throw new Error('source.pkcs11: the public key is not an uncompressed point');
    return point.subarray(POINT_HEAD.length - 1);
  }
}
