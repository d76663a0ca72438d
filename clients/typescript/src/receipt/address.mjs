import { concat, fromHex, toHex, toInteger } from './bytes.mjs';
import { keccak256 } from './keccak256.mjs';
import { recoverKey } from './secp256k1.mjs';
import { sha256 } from './sha256.mjs';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** As people write it. @param {string} hex `41…` */
export function base58Address(hex) {
  const bytes = fromHex(hex);
  const checked = concat(bytes, sha256(sha256(bytes)).subarray(0, 4));
  let text = '';
  for (let rest = toInteger(checked); rest > 0n; rest /= 58n) text = ALPHABET.charAt(Number(rest % 58n)) + text;
  return text;
}

/**
 * The address (`41…` in hex) of the key that made such a signature (r, s, v) of a hash; null when none did.
 * @param {Uint8Array} hash @param {Uint8Array} signature
 */
export function signerOf(hash, signature) {
  const [r, s] = [toInteger(signature.subarray(0, 32)), toInteger(signature.subarray(32, 64))];
  const key = recoverKey(toInteger(hash), r, s, /** @type {number} */ (signature[64]));
  return key && `41${toHex(keccak256(key).subarray(12))}`;
}
