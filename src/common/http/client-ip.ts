import { isIP } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';

/** One client may own a whole IPv6 network of this size. */
const IPV6_NETWORK = 64;
/** What a provider gives to one customer at most: 65,536 networks of the other size. */
const IPV6_WIDE_NETWORK = 48;

/** A proxy that is trusted may pass on anything for an address, and an index takes no long text. */
const LONGEST = 64;

/** What counts as one client where addresses are counted. */
export function networkOf(address: string): string {
  return normalizeIp(address, IPV6_NETWORK).slice(0, LONGEST);
}

/** The networks that one client counts in, the smaller first: of IPv4 there is one. */
export function networksOf(address: string): readonly [network: string, wide?: string] {
  const network = networkOf(address);
  const wide = wideNetworkOf(network);
  return wide === null ? [network] : [network, wide];
}

/** The larger IPv6 network around one of `networkOf`; null of IPv4. */
export function wideNetworkOf(network: string): string | null {
  const wide = normalizeIp(network.replace(/\/\d+$/, ''), IPV6_WIDE_NETWORK);
  return wide === network ? null : wide;
}

/**
 * The address that limits go by. A trusted proxy may pass on a word that is not an address, another one for each connection, and each would
 * have limits of its own: then the proxy that wrote the word counts as the caller.
 */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
}
