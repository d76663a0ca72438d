import type { Configuration } from './configuration';

/** Settings that are no mistake by themselves but do not go together. */
export interface ConfigurationWarning {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

export function configurationWarnings({ http }: Configuration): ConfigurationWarning[] {
  if (!http.publicUrl?.startsWith('https:') || http.trustProxy !== false) return [];
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
