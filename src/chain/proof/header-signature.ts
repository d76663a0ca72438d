import { postQuantumBytes, postQuantumSigner, readPostQuantum, VERIFIED_SCHEME } from './post-quantum';
import { normalized, signerOf } from './witness-signature';

/** The bytes of r, s and v. A signature of any other length in a header is protocol.PQAuthSig, which is never so short. */
export const WITNESS_SIGNATURE_BYTES = 65;

interface HeaderSignature {
  /** As it is kept and shown to others: r, s and v (0 or 1), or protocol.PQAuthSig. */
  readonly bytes: Buffer;
  /** The address of the key that signed; null when this version cannot say so. */
  readonly signer: string | null;
}

/** What a node shows as `block_header`. Null when it has no signature, or both kinds of one, as no valid header has. */
export function headerSignature(
  hash: Buffer,
  { witness_signature: signature, pq_auth_sig: postQuantum }: Readonly<Record<string, unknown>>,
): HeaderSignature | null {
  if (postQuantum === undefined) {
    const signer = signerOf(hash, signature);
    return signer === null ? null : { bytes: normalized(signature as string), signer };
  }
  const bytes = signature === undefined ? postQuantumBytes(postQuantum) : null;
  return bytes && { bytes, signer: signerOfHeader(hash, bytes) };
}

/** The address of the key that made such bytes; null when none has, or this version cannot say so. */
export function signerOfHeader(hash: Buffer, bytes: Buffer): string | null {
  if (bytes.length === WITNESS_SIGNATURE_BYTES) return signerOf(hash, bytes.toString('hex'));
  const postQuantum = readPostQuantum(bytes);
  return postQuantum && postQuantumSigner(hash, postQuantum);
}

/** The scheme of a signature that this version does not verify; null of one that it does, and found to be none. */
export function unverifiedScheme(bytes: Buffer): string | null {
  const scheme = bytes.length === WITNESS_SIGNATURE_BYTES ? null : (readPostQuantum(bytes)?.scheme ?? null);
  return scheme === VERIFIED_SCHEME ? null : scheme;
}
