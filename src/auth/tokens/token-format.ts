import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SCHEME = 'eds_';
const RANDOM_BYTES = 32;
/** Scheme, 256 random bits, checksum; all of it base64url. */
const FORMAT = /^eds_[\w-]{43}[\w-]{6}$/;
/** 48 of the random bits: 208 stay secret. */
const PREFIX_LENGTH = 12;

export function mintToken(): string {
  const body = SCHEME + randomBytes(RANDOM_BYTES).toString('base64url');
  return body + checksum(body);
}

/** Refuses mistyped tokens without asking the database. */
export function isWellFormedToken(text: string): boolean {
  return FORMAT.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** The database stores this hash instead of the token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

function checksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64url');
}
