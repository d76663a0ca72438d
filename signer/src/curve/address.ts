import { keccak_256 } from '@noble/hashes/sha3.js';
import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_BYTES = 21;
const CHECKSUM_BYTES = 4;
const PREFIX = 0x41;

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const checksumOf = (address: Buffer): Buffer => sha256(sha256(address)).subarray(0, CHECKSUM_BYTES);

export function isAddress(bytes: Buffer): boolean {
  return bytes.length === ADDRESS_BYTES && bytes[0] === PREFIX;
}

/** Base58 with a checksum, as people read it. The prefix byte is not zero, so no leading zeros are lost. */
export function showAddress(address: Buffer): string {
  let rest = BigInt(`0x${Buffer.concat([address, checksumOf(address)]).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)]! + text;
  return text;
}

/** The 21 bytes of an address, or null. */
export function parseAddress(text: string): Buffer | null {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return null;
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const bytes = Buffer.from(value.toString(16).padStart(2 * (ADDRESS_BYTES + CHECKSUM_BYTES), '0'), 'hex');
  const address = bytes.subarray(0, ADDRESS_BYTES);
  return isAddress(address) && bytes.subarray(ADDRESS_BYTES).equals(checksumOf(address)) ? address : null;
}

/** `publicKey`: 65 bytes, 4, x and y. */
export function addressOf(publicKey: Uint8Array): Buffer {
  const hash = keccak_256(publicKey.subarray(1));
  return Buffer.concat([Buffer.from([PREFIX]), hash.subarray(-(ADDRESS_BYTES - 1))]);
}
