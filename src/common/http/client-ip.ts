import { normalizeIp } from '@nestjs/throttler';

/** One client may own a whole IPv6 network of this size. */
const IPV6_NETWORK = 64;

/** A proxy that is trusted may pass on anything for an address, and an index takes no long text. */
const LONGEST = 64;

/** What counts as one client where addresses are counted. */
export function networkOf(address: string): string {
  return normalizeIp(address, IPV6_NETWORK).slice(0, LONGEST);
}
