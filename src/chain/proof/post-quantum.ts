import { createRequire } from 'node:module';
import { utils } from 'tronweb';
import { bytesField, enumField, joinFields, readFields } from './protobuf';

/** protocol.PQAuthSig: a key says that it has signed; there is none to be computed from the signature. */
export interface PostQuantumSignature {
  readonly scheme: PostQuantumScheme;
  readonly publicKey: Buffer;
  readonly signature: Buffer;
}

/** protocol.PQScheme. */
const SCHEMES = ['UNKNOWN_PQ_SCHEME', 'FN_DSA_512', 'ML_DSA_44'] as const;
export type PostQuantumScheme = (typeof SCHEMES)[number];

/** No network has switched on ML-DSA-44: no block has shown that a verification of it here would be the network's. */
export const VERIFIED_SCHEME: PostQuantumScheme = 'FN_DSA_512';

type Json = Readonly<Record<string, unknown>>;
type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

const FIELDS = new Set(['scheme', 'public_key', 'signature']);
const ADDRESS_PREFIX = '41';
const ADDRESS_DIGITS = 40;
/** Falcon-512 as TRON carries it: the key without its first byte, the signature with its own, compressed. */
const FALCON = { keyHeader: 0x09, keyBytes: 896, signatureHeader: 0x39, shortest: 617, longest: 667 };

/** protocol.PQAuthSig. Null when it cannot be encoded. */
export function postQuantumBytes(json: unknown): Buffer | null {
  if (json === null || typeof json !== 'object' || !Object.keys(json).every((name) => FIELDS.has(name))) return null;
  const { scheme, public_key: publicKey, signature } = json as Json;
  return joinFields([enumField(1, SCHEMES, scheme), bytesField(2, publicKey), bytesField(3, signature)]);
}

/** Null when the bytes are no such message, or one with anything else in it. */
export function readPostQuantum(bytes: Buffer): PostQuantumSignature | null {
  const fields = readFields(bytes);
  const [scheme, publicKey, signature] = [1, 2, 3].map((number) => fields?.get(number)?.at(-1));
  if (typeof scheme !== 'bigint' || !Buffer.isBuffer(publicKey) || !Buffer.isBuffer(signature)) return null;
  const name = SCHEMES[Number(scheme)];
  if (name === undefined) return null;
  const read = { scheme: name, publicKey, signature };
  return postQuantumBytes(postQuantumJson(read))?.equals(bytes) ? read : null;
}

/** As nodes write it. */
export function postQuantumJson({ scheme, publicKey, signature }: PostQuantumSignature) {
  return { scheme, public_key: publicKey.toString('hex'), signature: signature.toString('hex') };
}

/** The address (`41…`, lower-case hex) of the key that signed this hash. Null when it has not, and for any other scheme. */
export function postQuantumSigner(hash: Buffer, { scheme, publicKey, signature }: PostQuantumSignature): string | null {
  const { keyHeader, keyBytes, signatureHeader, shortest, longest } = FALCON;
  if (scheme !== VERIFIED_SCHEME || publicKey.length !== keyBytes || signature[0] !== signatureHeader) return null;
  if (signature.length < shortest || signature.length > longest) return null;
  try {
    const key = Buffer.concat([Buffer.from([keyHeader]), publicKey]);
    return falcon()(signature, hash, key) ? addressOf(publicKey) : null;
  } catch {
    return null;
  }
}

function addressOf(publicKey: Buffer): string {
  return ADDRESS_PREFIX + utils.ethersUtils.keccak256(publicKey).slice(-ADDRESS_DIGITS);
}

let loaded: Verify | null = null;

/** With the first signature: loading takes longer than a start should wait for what most networks do not have. */
function falcon(): Verify {
  loaded ??= (createRequire(__filename)('@noble/post-quantum/falcon.js') as { falcon512: { verify: Verify } }).falcon512
    .verify;
  return loaded;
}
