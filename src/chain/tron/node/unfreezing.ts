import { amountIn, MOST_SUN, notUnderstood, recordsIn } from './answer.reader';

/** Staked TRX on its way back to the balance: from its block on it gives no energy, no bandwidth and no vote, and cannot be lent. */
export interface Unfreezing {
  readonly resource: string;
  readonly sun: bigint;
  /** From then on it can be withdrawn; it stays on the list until that is done. */
  readonly availableMs: number;
}

/** The network takes no further unfreezing while so many are not available yet. */
export const UNFREEZE_SLOTS = 32;

/** protobuf leaves its first value out. */
const FIRST_RESOURCE = 'BANDWIDTH';
const KNOWN: ReadonlySet<unknown> = new Set([FIRST_RESOURCE, 'ENERGY', 'TRON_POWER']);
/** Far more than the network takes, should it take more some day: a wallet must stay readable then. */
const MOST_ENTRIES = 1_000;
/** The latest time that a Date can hold. */
const LATEST_TIME_MS = 8_640_000_000_000_000n;

/** Reads the answer of `getaccount`, without resources that are not known here. @throws NodeUnavailableError */
export function readUnfreezing(account: Record<string, unknown>): Unfreezing[] {
  const entries = recordsIn(account, 'unfrozenV2');
  if (entries.length > MOST_ENTRIES) throw notUnderstood('unfrozenV2');
  const read = entries.flatMap((entry) => {
    const { type: resource = FIRST_RESOURCE } = entry;
    if (typeof resource !== 'string' || !KNOWN.has(resource)) return [];
    const availableMs = amountIn(entry, 'unfreeze_expire_time');
    if (availableMs > LATEST_TIME_MS) throw notUnderstood('unfreeze_expire_time');
    return [{ resource, sun: amountIn(entry, 'unfreeze_amount'), availableMs: Number(availableMs) }];
  });
  if (read.reduce((sum, { sun }) => sum + sun, 0n) > MOST_SUN) throw notUnderstood('unfreeze_amount');
  return read;
}

/** How many more unfreezings the network takes at this time. */
export function unfreezeSlotsLeft(unfreezing: readonly Pick<Unfreezing, 'availableMs'>[], nowMs: number): number {
  const taken = unfreezing.filter(({ availableMs }) => availableMs > nowMs).length;
  return Math.max(0, UNFREEZE_SLOTS - taken);
}
