import express from 'express';

type Trusts = (address: string, hop: number) => boolean;

/** More proxies than these are in front of no service: the last of them is a stranger. */
const MOST_HOPS = 10;
/** The probes are one address in each block of 2 to the 24: no owner's proxies are in more blocks than these. */
const MOST_BLOCKS = 4;

const OWN_BLOCKS: readonly number[] = [10, 127];
const IPV4 = Array.from({ length: 223 }, (_, index) => index + 1)
  .filter((block) => !OWN_BLOCKS.includes(block))
  .map((block) => `${block}.77.133.201`);
/** Where the registries give out addresses, and somewhere in the middle of them. */
const IPV6 = ['2001:4d', '2400:8d', '2600:1f', '2800:a4', '2a00:7d', '2c0f:f2'].map((net) => `${net}00:77::c9`);

/** Whether `TRUST_PROXY` is `true` in other words. Express judges, which will judge each request. */
export function trustsEverybody(trustProxy: boolean | number | string): boolean {
  const trusts = express().set('trust proxy', trustProxy).get('trust proxy fn') as Trusts;
  const trusted = (addresses: readonly string[]) => addresses.filter((address) => trusts(address, MOST_HOPS)).length;
  return trusted(IPV4) > MOST_BLOCKS || trusted(IPV6) > MOST_BLOCKS;
}
