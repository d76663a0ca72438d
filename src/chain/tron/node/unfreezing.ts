import { amountIn, notUnderstood, recordsIn } from './answer.reader';

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
const KNOWN = new Set([FIRST_RESOURCE, 'ENERGY', 'TRON_POWER']);
/** The latest time that a Date can hold. */
const LATEST_TIME_MS = 8_640_000_000_000_000n;

/** Reads the answer of `getaccount`. @throws NodeUnavailableError */
export function readUnfreezing(account: Record<string, unknown>): Unfreezing[] {
  const entries = recordsIn(account, 'unfrozenV2');
  if (entries.length > UNFREEZE_SLOTS) throw notUnderstood('unfrozenV2');
  return entries.map((entry) => {
    const { type: resource = FIRST_RESOURCE } = entry;
    const availableMs = amountIn(entry, 'unfreeze_expire_time');
    if (typeof resource !== 'string' || !KNOWN.has(resource) || availableMs > LATEST_TIME_MS)
      throw notUnderstood('unfrozenV2');
    return { resource, sun: amountIn(entry, 'unfreeze_amount'), availableMs: Number(availableMs) };
  });
}

/** How many more unfreezings the network takes at this time. */
export function unfreezeSlotsLeft(unfreezing: readonly Pick<Unfreezing, 'availableMs'>[], nowMs: number): number {
  return UNFREEZE_SLOTS - unfreezing.filter(({ availableMs }) => availableMs > nowMs).length;
}
