import { BlockList, isIP } from 'node:net';

/**
 * Addresses that no webhook reaches, whatever is allowed: link-local ones, those where clouds serve their instances' credentials, and
 * IPv6 forms that carry an IPv4 address in them. A `BlockList` sees through `::ffff:a.b.c.d` by itself.
 */
const NEVER = new BlockList();
NEVER.addSubnet('169.254.0.0', 16, 'ipv4');
NEVER.addSubnet('fe80::', 10, 'ipv6');
NEVER.addAddress('100.100.100.200', 'ipv4');
NEVER.addAddress('168.63.129.16', 'ipv4');
NEVER.addAddress('192.0.0.192', 'ipv4');
NEVER.addAddress('fd00:ec2::254', 'ipv6');
NEVER.addAddress('fd20:ce::254', 'ipv6');
NEVER.addSubnet('64:ff9b::', 96, 'ipv6');
NEVER.addSubnet('64:ff9b:1::', 48, 'ipv6');
NEVER.addSubnet('2002::', 16, 'ipv6');
NEVER.addSubnet('2001::', 32, 'ipv6');
NEVER.addSubnet('::ffff:0:0:0', 96, 'ipv6');
NEVER.addRange('::2', '::ffff:ffff', 'ipv6');

/** For an early answer alone: what is connected to is decided by the filtering agent, which knows more ranges. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

export class AddressNotAllowedError extends Error {
  constructor() {
    super('the address is none that a webhook may have');
    this.name = 'AddressNotAllowedError';
  }
}

/** False for a name. */
export function isNeverAllowed(address: string): boolean {
  // A zone (`fe80::1%eth0`) names an interface of this machine.
  return address.includes('%') || isIn(NEVER, address);
}

/** False for a name. */
export function isPrivate(address: string): boolean {
  return isIn(PRIVATE, address);
}

/**
 * Names of no public zone: of this machine (RFC 6761, `/etc/hosts`), of the own network (RFC 6762, 8375, ICANN's `internal`, what clusters
 * call their services), never of anybody (RFC 6761, 7686, 9476), or of one word.
 */
const OWN_ZONES =
  /(?:^|\.)(?:localhost|localdomain|localhost6|localdomain6|local|internal|intranet|private|lan|home|corp|home\.arpa|svc|consul|test|invalid|onion|alt)$/;

/** Whether a name can only be one's own machine or network. What every other name leads to shows at each connection. */
export function isOwnName(host: string): boolean {
  if (isIP(host) !== 0) return false;
  const name = host.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || OWN_ZONES.test(name);
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
