import { secp256k1 } from '@noble/curves/secp256k1.js';
import { native } from './native';

const { Signature, Point } = secp256k1;
const ORDER = Point.Fn.ORDER;
/** TRON's nodes and libraries write v as 27 or 28. */
const FIRST_V = 27;

export type EcdsaFormat = 'compact' | 'der';

export function isPrivateKey(bytes: Uint8Array): boolean {
  return secp256k1.utils.isValidSecretKey(bytes);
}

/** 65 bytes: 4, x and y. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return secp256k1.getPublicKey(privateKey, false);
}

/** r, s and v by RFC 6979: the same bytes get the same signature, whichever library makes it. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array, by = native): Buffer {
  if (by) {
    const { signature, recid } = by.ecdsaSign(digest, privateKey);
    return Buffer.concat([signature, Buffer.from([FIRST_V + recid])]);
  }
  const [recovery, ...rs] = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' });
  return Buffer.from([...rs, FIRST_V + recovery!]);
}

/**
 * r, s and v of a signature that another program has made: s in the lower half, and the v by which nodes find this key.
 * Null when this key did not make it for this digest.
 */
export function completeSignature(
  signature: Uint8Array,
  format: EcdsaFormat,
  digest: Uint8Array,
  publicKey: Uint8Array,
): Buffer | null {
  try {
    const { r, s } = Signature.fromBytes(signature, format);
    const low = s > ORDER / 2n ? ORDER - s : s;
    for (const recovery of [0, 1]) {
      const candidate = new Signature(r, low, recovery);
      if (!Buffer.from(candidate.recoverPublicKey(digest).toBytes(false)).equals(publicKey)) continue;
      return Buffer.concat([candidate.toBytes('compact'), Buffer.from([FIRST_V + recovery])]);
    }
    return null;
  } catch {
    return null;
  }
}
