import { sha256 } from './hash';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Map(ALPHABET.split('').map((letter, value) => [letter, BigInt(value)]));

const checksum = (bytes: Buffer): Buffer => sha256(sha256(bytes)).subarray(0, 4);

/** Base58Check of any bytes; 21 bytes that begin with 0x41 become the familiar T address. */
export function encodeBase58(bytes: Buffer): string {
  const checked = Buffer.concat([bytes, checksum(bytes)]);
  let rest = BigInt(`0x${checked.toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = ALPHABET[Number(rest % 58n)]! + text;
    rest /= 58n;
  }
  for (const byte of checked) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

/** The first letter that base58 does not have, as the node words it; undefined when it has them all. */
export function illegalLetter(text: string): string | undefined {
  const at = text.split('').findIndex((letter) => !VALUES.has(letter));
  return at < 0 ? undefined : `Illegal character ${text[at]} at ${at}`;
}

/** An account's address from its T form; undefined when it is not one. */
export function decodeBase58(text: string): Buffer | undefined {
  let number = 0n;
  for (const letter of text) {
    const value = VALUES.get(letter);
    if (value === undefined) return undefined;
    number = number * 58n + value;
  }
  const hex = number.toString(16);
  const checked = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const bytes = checked.subarray(0, -4);
  return isAddress(bytes) && checksum(bytes).equals(checked.subarray(-4)) ? Buffer.from(bytes) : undefined;
}

/** What java-tron calls valid: 21 bytes, the first of them 0x41. */
export const isAddress = (bytes: Buffer): boolean => bytes.length === 21 && bytes[0] === 0x41;
