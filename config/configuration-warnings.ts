import type { Configuration } from './configuration';

/** Settings that are no mistake by themselves but do not go together. */
export interface ConfigurationWarning {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

/** The shorter of the two rental times. */
const SHORTEST_RENTAL_MS = 10 * 60_000;

export function configurationWarnings(configuration: Configuration): ConfigurationWarning[] {
  return [...proxyWarnings(configuration), ...reclaimWarnings(configuration)];
}

function proxyWarnings({ http }: Configuration): ConfigurationWarning[] {
  // 0 hops trust nobody, as `false`.
  const isTrusted = http.trustProxy !== false && http.trustProxy !== 0;
  if (!http.publicUrl?.startsWith('https:') || isTrusted) return [];
  return [
    {
      kind: 'proxy_not_trusted',
      subject: 'TRUST_PROXY',
      reason:
        'PUBLIC_URL is https, and TRUST_PROXY names no proxy: cookies of the panel go without Secure, and all visitors count as one address',
      next_step: 'set TRUST_PROXY to the addresses or networks of the proxies in front, e.g. loopback or 10.0.0.0/8',
    },
  ];
}

/** `60s` is soon written for `60m`. */
function reclaimWarnings({ reclaim }: Configuration): ConfigurationWarning[] {
  if (reclaim.delayMs >= SHORTEST_RENTAL_MS) return [];
  return [
    {
      kind: 'reclaim_before_rental_end',
      subject: 'RECLAIM_DELAY',
      reason: `RECLAIM_DELAY is ${reclaim.delayMs / 1_000}s: energy is taken back before the shortest rental, 10 minutes, has ended`,
      next_step: 'set RECLAIM_DELAY to 10m or more, e.g. 60m; it is for tests alone that it may be shorter',
    },
  ];
}
