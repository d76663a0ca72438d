import { isIP } from 'node:net';

/** As RFC 7239 writes an address into `Forwarded`: some proxies write it here too. */
const FOR = /^(?:[^;]*;)*\s*for\s*=([^;]*)/i;
const PARAMETERS = /;.*$/s;
const QUOTED = /^"(.*)"$/s;
const BRACKETED = /^\[([^\]]*)\](?::\d*)?$/;
const PORT = /:\d*$/;
/** As `URL` writes an IPv4 address within IPv6. */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * `X-Forwarded-For` with nothing but addresses. Azure and IIS write the client's port behind its address, others brackets around IPv6:
 * express would take such a word for the client, of which no network is known and each connection is another one. So with an empty port, a
 * port of any length or behind a semicolon. A word that is not an address stays as it is: it matches no token's network, and limits go by
 * the socket's address (`client-ip.ts`).
 */
export function plainAddresses(header: string): string {
  return header
    .split(',')
    .map((word) => plainAddress(word.trim()))
    .join(', ');
}

function plainAddress(word: string): string {
  const named = FOR.exec(word)?.[1] ?? word.replace(PARAMETERS, '');
  const unquoted = named.trim().replace(QUOTED, '$1');
  const spellings = [unquoted, BRACKETED.exec(unquoted)?.[1], unquoted.replace(PORT, '')];
  const address = spellings.find((spelling) => spelling !== undefined && isIP(spelling.replace(/%.*$/s, '')) > 0);
  if (address === undefined) return word;
  return mappedAddress(address) ?? address;
}

/** `203.0.113.7` of `::ffff:203.0.113.7` in any spelling; null for every other address. */
export function mappedAddress(address: string): string | null {
  if (isIP(address) !== 6 || address.includes('%')) return null;
  const [, high, low] = MAPPED.exec(new URL(`http://[${address}]`).hostname.slice(1, -1)) ?? [];
  if (high === undefined || low === undefined) return null;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}
