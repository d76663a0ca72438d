import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS = new Map(Array.from(ALPHABET).map((letter, value) => [letter, BigInt(value)]));
/** Version byte, 20 bytes of address, 4 of checksum. */
const BYTES = 25;
const VERSION = 0x41;

/** A base58check TRON address: 34 characters; the checksum catches a mistyped one. */
export function isTronAddress(text: string): boolean {
  if (text.length !== 34) return false;
  let number = 0n;
  for (const letter of text) {
    const digit = DIGITS.get(letter);
    if (digit === undefined) return false;
    number = number * 58n + digit;
  }
  const hex = number.toString(16).padStart(BYTES * 2, '0');
  if (hex.length !== BYTES * 2) return false;
  const bytes = Buffer.from(hex, 'hex');
  const payload = bytes.subarray(0, -4);
  return payload[0] === VERSION && sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(-4));
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
