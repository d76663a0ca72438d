import { createRequire } from 'node:module';
import { worthlessKey } from '../genesis.accounts';
import type { PostQuantumSignature } from '../protobuf/post-quantum.schema';
import { sha256 } from './hash';
import { addressOfPublicKey } from './secp256k1';

export const POST_QUANTUM_SCHEMES = ['FN_DSA_512', 'ML_DSA_44'] as const;
export type PostQuantumScheme = (typeof POST_QUANTUM_SCHEMES)[number];

interface Signer {
  keygen(seed: Uint8Array): { secretKey: Uint8Array; publicKey: Uint8Array };
  sign(message: Uint8Array, secretKey: Uint8Array): Uint8Array;
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** How a scheme stands in protobuf, the bytes of its seed, and Falcon's first byte of a key, which TRON leaves out. */
const SCHEMES = {
  FN_DSA_512: { number: 1, seedBytes: 48, file: 'falcon.js', name: 'falcon512', keyHeader: Buffer.from([0x09]) },
  ML_DSA_44: { number: 2, seedBytes: 32, file: 'ml-dsa.js', name: 'ml_dsa44', keyHeader: Buffer.alloc(0) },
} as const satisfies Record<PostQuantumScheme, object>;

export interface PostQuantumKey {
  scheme: PostQuantumScheme;
  /** Address of its public key, as of any other kind. */
  address: Buffer;
  publicKey: Buffer;
  secretKey: Uint8Array;
}

const keys = new Map<string, PostQuantumKey>();

/** A key made of public words, as all keys here; it takes a tenth of a second to make. */
export function postQuantumKey(name: string, scheme: PostQuantumScheme): PostQuantumKey {
  const id = `${scheme} ${name}`;
  const known = keys.get(id);
  if (known) return known;
  const { seedBytes, keyHeader } = SCHEMES[scheme];
  const seed = Buffer.concat([Buffer.from(worthlessKey(id), 'hex'), sha256(Buffer.from(id))]).subarray(0, seedBytes);
  const { secretKey, publicKey: whole } = signerOf(scheme).keygen(seed);
  const publicKey = Buffer.from(whole.subarray(keyHeader.length));
  const key = { scheme, address: addressOfPublicKey(publicKey), publicKey, secretKey };
  keys.set(id, key);
  return key;
}

export function signPostQuantum(hash: Buffer, { scheme, publicKey, secretKey }: PostQuantumKey): PostQuantumSignature {
  const signature = Buffer.from(signerOf(scheme).sign(hash, secretKey));
  return { scheme: SCHEMES[scheme].number, public_key: publicKey, signature };
}

/** The address of the key that made it; undefined when it did not. */
export function postQuantumSigner(
  hash: Buffer,
  { scheme, public_key, signature }: PostQuantumSignature,
): Buffer | undefined {
  const name = POST_QUANTUM_SCHEMES.find((one) => SCHEMES[one].number === scheme);
  if (!name) return undefined;
  try {
    const isSigned = signerOf(name).verify(signature, hash, Buffer.concat([SCHEMES[name].keyHeader, public_key]));
    return isSigned ? addressOfPublicKey(public_key) : undefined;
  } catch {
    return undefined;
  }
}

/** Loaded when it is asked for: a chain without such signatures starts as fast as before. */
function signerOf(scheme: PostQuantumScheme): Signer {
  const { file, name } = SCHEMES[scheme];
  return (createRequire(__filename)(`@noble/post-quantum/${file}`) as Record<string, Signer>)[name]!;
}
