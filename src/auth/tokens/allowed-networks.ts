import { BlockList, isIP } from 'node:net';
import { mappedAddress } from '../../common/http/forwarded-addresses';

/**
 * `10.0.0.0/8`, `2001:db8::/32`; an address alone is a network of one. Null for anything else, and for IPv4 within IPv6: a client of it
 * counts as the IPv4 client that it is, so that such a network would match no client.
 */
export function canonicalNetwork(text: string): string | null {
  const [, typed, prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(typed ?? '');
  if (family === 0) return null;
  const address = canonicalAddress(typed!);
  const longest = family === 4 ? 32 : 128;
  if (mappedAddress(address) !== null || Number(prefix ?? longest) > longest) return null;
  return `${address}/${Number(prefix ?? longest)}`;
}

/** Whether a client's address, as express sees it behind the proxies that are trusted, is in one of these networks. */
export function isAllowed(networks: readonly string[], client: string | undefined): boolean {
  // The zone of a link-local address is this machine's own name for it.
  const shown = client?.replace(/%.*$/s, '') ?? '';
  const address = mappedAddress(shown) ?? shown;
  const family = isIP(address);
  if (family === 0) return false;
  // By family: a list of both would let every IPv4 client in by `::/0`.
  const allowed = new BlockList();
  for (const network of networks) {
    const [start, prefix] = network.split('/') as [string, string];
    if (isIP(start) === family) allowed.addSubnet(start, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  }
  return allowed.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** An IPv6 address in the one form that RFC 5952 knows. */
function canonicalAddress(address: string): string {
  return isIP(address) === 4 ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
}
