import { utils } from 'tronweb';
import { nativeSecp256k1 } from '../signing/native-secp256k1';

const SIGNATURE_BYTES = 65;
/** Older nodes write v as 27 or 28, newer ones as 0 or 1. */
const OLD_V = 27;

/** The address (`41…`, lower-case hex) of the key that signed this hash; null when the text is no signature of any key. */
export function signerOf(hash: Buffer, signature: unknown): string | null {
  const bytes = typeof signature === 'string' ? Buffer.from(signature, 'hex') : null;
  if (bytes?.length !== SIGNATURE_BYTES || bytes.toString('hex') !== String(signature).toLowerCase()) return null;
  const recovery = recoveryOf(bytes);
  if (recovery > 1) return null;
  try {
    const key = nativeSecp256k1
      ? nativeSecp256k1.ecdsaRecover(bytes.subarray(0, SIGNATURE_BYTES - 1), recovery, hash, false)
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

function recoverWithoutNative(hash: Buffer, signature: Buffer, recovery: number): Uint8Array {
  const rs = signature.subarray(0, SIGNATURE_BYTES - 1).toString('hex');
  const found = utils.ethersUtils.SigningKey.recoverPublicKey(hash, `0x${rs}${(OLD_V + recovery).toString(16)}`);
  return Buffer.from(found.slice(2), 'hex');
}
