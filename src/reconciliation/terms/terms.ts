import type { Configuration } from '../../../config/configuration';
import { formatTrx } from '../../common/money/sun';

/** Settings by their names: what an order costs, when its energy is taken back, what a deposit counts, and what is believed of the chain. */
export type Terms = Readonly<Record<string, string>>;

export interface HostTerms {
  readonly host: string;
  readonly terms: Terms;
}

/** What else a running instance says of itself: all of it should be the same everywhere, or as PUBLIC_URL has it. */
export interface InstanceSetup {
  /** The names of its SECRET_KEYS, sorted. */
  readonly secret_keys?: readonly string[];
  readonly public_url?: string;
  /** Scheme and host that requests come with, where these are not those of PUBLIC_URL. */
  readonly came_as?: string;
}

export interface RunningInstance extends HostTerms {
  readonly setup: InstanceSetup;
}

export function termsOf({ billing, reclaim, deposits, nodes, customers }: Configuration): Terms {
  return {
    BILLING_VARIANT: billing.variant,
    // The other variant has one price for all.
    ...(billing.variant === 'B' && { DEFAULT_UNIT_PRICE: formatTrx(billing.defaultUnitPriceSun) }),
    RECLAIM_DELAY: `${reclaim.delayMs / 1_000}s`,
    RECLAIM_AT_RENTAL_END: reclaim.atRentalEnd ? 'on' : 'off',
    CHAIN_PROOF: nodes.proof,
    SIGN_UP: customers.signUp,
    DEPOSIT_XPUB: deposits === null ? 'off' : deposits.account.fingerprint,
    ...(deposits && {
      DEPOSIT_MIN: formatTrx(deposits.leastSun),
      DEPOSIT_MIN_USDT: formatTrx(deposits.leastUsdt),
      DEPOSIT_RATE_MAX_AGE: `${deposits.rateMaxAgeMs / 1_000}s`,
      DEPOSIT_SWEEP_TO: deposits.sweepTo ?? 'off',
      USDT_CONTRACT: nodes.usdtContract,
    }),
  };
}

/** `RECLAIM_DELAY: 3600s (one), 120s (two)`, for each setting that is not the same everywhere; null when all sell alike. */
export function differences(instances: readonly HostTerms[]): string | null {
  const names = [...new Set(instances.flatMap(({ terms }) => Object.keys(terms)))].toSorted();
  const differing = names.flatMap((name) => {
    const hosts = new Map<string, Set<string>>();
    for (const { host, terms } of instances) {
      const value = terms[name];
      if (value !== undefined) hosts.set(value, (hosts.get(value) ?? new Set()).add(host));
    }
    if (hosts.size < 2) return [];
    return [`${name}: ${[...hosts].map(([value, of]) => `${value} (${[...of].join(', ')})`).join(', ')}`];
  });
  return differing.length === 0 ? null : differing.join('; ');
}
