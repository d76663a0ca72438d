import type { SeededRandom } from '../kernel/seeded-random';
import { type Action, TROUBLE_MS } from './plan';

/** A wallet's own key, or one of a permission; null: it lies in the service's process. */
type PlannedKey = 'own' | 'permission' | null;

/** Which keys lie in a signer, and how much they may sign. */
export interface PlannedSigner {
  /** By wallet. */
  readonly wallets: readonly PlannedKey[];
  readonly activation: PlannedKey;
  /** Those of all cares. */
  readonly cares: boolean;
  /** So many orders' stake in an hour, each wallet's key; null: no limit. */
  readonly mostOrders: number | null;
  readonly mostTransfers: number | null;
}

export const OTHER_CONFIGURATIONS = ['another key', 'a key less', 'hardly any stake'] as const;

export type SignerAction = { readonly atMs: number } & (
  | {
      /** At its next POST. */
      readonly kind: 'signer-kill';
      readonly point: 'before its log' | 'after its log';
      readonly forMs: number;
    }
  | { readonly kind: 'signer-hang'; readonly forMs: number }
  | {
      /** For so long each answer comes so much later. */
      readonly kind: 'signer-late';
      readonly forMs: number;
      readonly byMs: number;
    }
  | {
      /** So many POSTs are answered with a signature of another transaction. */
      readonly kind: 'signer-swap';
      readonly count: number;
    }
  | {
      /** It is started again with another configuration, and after so long with its own. */
      readonly kind: 'signer-other';
      readonly forMs: number;
      readonly has: (typeof OTHER_CONFIGURATIONS)[number];
    }
);

const MOST_ACTS = 3;

export function isOfSigner(action: Action): action is SignerAction {
  return action.kind.startsWith('signer-');
}

export function planSigner(random: SeededRandom, wallets: number): PlannedSigner {
  const place = (): PlannedKey => random.pick(['own', 'permission']);
  const sometimes = (): PlannedKey => (random.chance(0.7) ? place() : null);
  return {
    wallets: Array.from({ length: wallets }, (_, at) => (at === 0 ? place() : sometimes())),
    activation: sometimes(),
    cares: random.chance(0.7),
    mostOrders: random.chance(0.3) ? 3 + random.below(25) : null,
    mostTransfers: random.chance(0.3) ? 1 + random.below(4) : null,
  };
}

export function planSignerTrouble(random: SeededRandom): SignerAction[] {
  const some = (make: (atMs: number) => SignerAction) =>
    Array.from({ length: random.below(MOST_ACTS + 1) }, () => make(Math.floor(random.between(3_000, TROUBLE_MS))));
  const ms = (least: number, most: number) => Math.floor(random.between(least, most));
  return [
    ...some((atMs) => ({
      atMs,
      kind: 'signer-kill',
      point: random.pick(['before its log', 'after its log']),
      forMs: ms(0, 15_000),
    })),
    ...some((atMs) => ({ atMs, kind: 'signer-hang', forMs: ms(1_000, 20_000) })),
    ...some((atMs) => ({ atMs, kind: 'signer-late', forMs: ms(2_000, 15_000), byMs: ms(500, 9_000) })),
    ...some((atMs) => ({ atMs, kind: 'signer-swap', count: 1 + random.below(4) })),
    ...some((atMs) => ({
      atMs,
      kind: 'signer-other',
      forMs: ms(1_000, 25_000),
      has: random.pick(OTHER_CONFIGURATIONS),
    })),
  ];
}
