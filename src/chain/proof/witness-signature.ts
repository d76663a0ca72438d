import { utils } from 'tronweb';
import { nativeSecp256k1 } from './native-secp256k1';

/** Order of the curve secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const SIGNATURE_BYTES = 65;
/** Older nodes write v as 27 or 28, newer ones as 0 or 1. */
const OLD_V = 27;

/** The address (`41…`, lower-case hex) of the key that signed this hash; null when no key can have made this signature. */
export function signerOf(hash: Buffer, signature: unknown, native = nativeSecp256k1): string | null {
  const bytes = typeof signature === 'string' ? Buffer.from(signature, 'hex') : null;
  if (bytes?.length !== SIGNATURE_BYTES || bytes.toString('hex') !== String(signature).toLowerCase()) return null;
  const recovery = recoveryOf(bytes);
  if (recovery > 1) return null;
  try {
    const key = native
      ? native.ecdsaRecover(bytes.subarray(0, SIGNATURE_BYTES - 1), recovery, hash, false)
      : recoverWithoutNative(hash, bytes, recovery);
    return Buffer.from(utils.crypto.computeAddress(key)).toString('hex');
  } catch {
    return null;
  }
}

/** The bytes of a signature that has a signer, with v as newer nodes write it. */
export function normalized(signature: string): Buffer {
  const bytes = Buffer.from(signature, 'hex');
  bytes[SIGNATURE_BYTES - 1] = recoveryOf(bytes);
  return bytes;
}

function recoveryOf(bytes: Buffer): number {
  const v = bytes[SIGNATURE_BYTES - 1]!;
  return v >= OLD_V ? v - OLD_V : v;
}

/** The other of the two s that fit a signature counts too, as it does for nodes; this recovery refuses the larger one. */
function recoverWithoutNative(hash: Buffer, signature: Buffer, recovery: number): Uint8Array {
  const r = signature.subarray(0, 32).toString('hex');
  const s = BigInt(`0x${signature.subarray(32, 64).toString('hex')}`);
  const [low, parity] = s > ORDER / 2n ? [ORDER - s, 1 - recovery] : [s, recovery];
  const rsv = `0x${r}${low.toString(16).padStart(64, '0')}${(OLD_V + parity).toString(16)}`;
  const found = utils.ethersUtils.SigningKey.recoverPublicKey(hash, rsv);
  return Buffer.from(found.slice(2), 'hex');
}
