import type { Configuration } from './configuration';

/** Settings that are no mistake by themselves but do not go together. */
export interface ConfigurationWarning {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

export function configurationWarnings({ http }: Configuration): ConfigurationWarning[] {
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
