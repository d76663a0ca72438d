import type { Handle, PKCS11, Template } from 'pkcs11js';
import type { Source } from '../configuration/configuration';
import { completeSignature } from '../curve/signature';
import { reasonOf } from '../refusal';
import { type SigningKey, WrongSignatureError } from './signing.key';

type Settings = Extract<Source, { pkcs11: unknown }>['pkcs11'];
type Library = typeof import('pkcs11js');

/** The curve secp256k1 (1.3.132.0.10), as CKA_EC_PARAMS names it. */
const CURVE = Buffer.from('06052b8104000a', 'hex');
/** CKA_EC_POINT: an octet string of 65 bytes, of which the first is 4. */
const POINT_HEAD = Buffer.from('044104', 'hex');
const SIGNATURE_BYTES = 64;
/** A module is initialised once in a process, however many keys are in it. */
const modules = new Map<string, PKCS11>();
const refusedPins = new Set<string>();

/** A key in a token that a PKCS#11 module reaches: a hardware module, a smart card, or SoftHSM. @throws Error */
export async function pkcs11Key(
  settings: Settings,
  variables: (name: string) => string | undefined,
): Promise<SigningKey> {
  const library = await loadLibrary();
  const pin = variables(settings.pin_env);
  if (pin === undefined) throw new Error(`source.pkcs11.pin_env ${settings.pin_env} is not set`);
  const token = new Token(library, loadModule(library, settings.module), settings, pin);
  const publicKey = token.open();
  return { publicKey, sign: (_rawData, digest) => token.sign(digest, publicKey) };
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
  const known = modules.get(path);
  if (known) return known;
  const loaded = new PKCS11();
  try {
    loaded.load(path);
    loaded.C_Initialize();
  } catch (error) {
    throw new Error(`source.pkcs11.module ${path} cannot be loaded: ${reasonOf(error)}`, { cause: error });
  }
  modules.set(path, loaded);
  return loaded;
}

/** One session, in which one signature is made at a time. It is opened again after a failure. */
class Token {
  private opened: { readonly session: Handle; readonly privateKey: Handle } | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly library: Library,
    private readonly module: PKCS11,
    private readonly settings: Settings,
    private readonly pin: string,
  ) {}

  /** The public key. @throws Error */
  open(): Buffer {
    const { CKO_PRIVATE_KEY, CKO_PUBLIC_KEY, CKF_SERIAL_SESSION } = this.library;
    const session = this.module.C_OpenSession(this.findSlot(), CKF_SERIAL_SESSION);
    try {
      this.logIn(session);
      const privateKey = this.findKey(session, CKO_PRIVATE_KEY, 'private');
      const publicKey = this.readPoint(session, this.findKey(session, CKO_PUBLIC_KEY, 'public'));
      this.opened = { session, privateKey };
      return publicKey;
    } catch (error) {
      this.close(session);
      throw error;
    }
  }

  sign(digest: Buffer, publicKey: Buffer): Promise<Buffer> {
    const signature = this.last.then(() => this.signNext(digest, publicKey));
    this.last = signature.catch(() => undefined);
    return signature;
  }

  private async signNext(digest: Buffer, publicKey: Buffer): Promise<Buffer> {
    if (!this.opened && !this.open().equals(publicKey)) throw new WrongSignatureError();
    const { session, privateKey } = this.opened!;
    try {
      this.module.C_SignInit(session, { mechanism: this.library.CKM_ECDSA }, privateKey);
      const compact = await this.module.C_SignAsync(session, digest, Buffer.alloc(SIGNATURE_BYTES));
      const signature = completeSignature(compact, 'compact', digest, publicKey);
      if (!signature) throw new WrongSignatureError();
      return signature;
    } catch (error) {
      this.close(session);
      throw error;
    }
  }

  private close(session: Handle): void {
    this.opened = null;
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

  /** Sessions of a token share its login. A token locks itself after a few wrong PINs, so one is tried once, for all keys. */
  private logIn(session: Handle): void {
    const { CKU_USER, CKR_USER_ALREADY_LOGGED_IN, CKR_PIN_INCORRECT, CKR_PIN_LOCKED } = this.library;
    const token = `${this.settings.module} ${this.settings.token} ${this.settings.pin_env}`;
    if (refusedPins.has(token)) throw new Error(`source.pkcs11.pin_env ${this.settings.pin_env}: the token refuses it`);
    try {
      this.module.C_Login(session, CKU_USER, this.pin);
    } catch (error) {
      const { code } = error as { code?: number };
      if (code === CKR_USER_ALREADY_LOGGED_IN) return;
      if (code === CKR_PIN_INCORRECT || code === CKR_PIN_LOCKED) refusedPins.add(token);
      throw error;
    }
  }

  private findKey(session: Handle, type: number, name: string): Handle {
    const { CKA_CLASS, CKA_LABEL } = this.library;
    const template: Template = [
      { type: CKA_CLASS, value: type },
      { type: CKA_LABEL, value: this.settings.label },
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
