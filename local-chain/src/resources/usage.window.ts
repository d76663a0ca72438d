import type { ResourceUse } from '../state/account.model';

/** A day in slots of 3 seconds: what is used comes back over it. */
export const WINDOW = 28_800n;
const PRECISION = 1_000_000n;
const MILLI = 1_000n;
const FULL_MILLI = WINDOW * MILLI;

const divideCeil = (a: bigint, b: bigint): bigint => a / b + (a % b > 0n ? 1n : 0n);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const windowSlots = ({ window, optimized }: ResourceUse): bigint => {
  if (window === 0n) return WINDOW;
  if (!optimized) return window;
  return window < MILLI ? WINDOW : window / MILLI;
};

export const windowMilli = ({ window, optimized }: ResourceUse): bigint => {
  if (window === 0n) return FULL_MILLI;
  return optimized ? window : window * MILLI;
};

/** The average per slot, less what came back since; java-tron does this step in doubles. */
const decayed = (used: bigint, window: bigint, from: number, to: number): bigint => {
  const average = divideCeil(used * PRECISION, window);
  if (from === to) return average;
  if (BigInt(from) + window <= BigInt(to)) return 0n;
  const size = Number(window);
  return BigInt(Math.round(Number(average) * ((size - (to - from)) / size)));
};

/** Units that are still used at a slot; stores nothing. */
export function recovered(use: ResourceUse, slot: number): bigint {
  const window = windowSlots(use);
  return (decayed(use.used, window, use.slot, slot) * window) / PRECISION;
}

/** Brings `use` to a slot and adds to it. The slot it counts from is the caller's to move: java-tron's readers leave it. */
export function increase(use: ResourceUse, added: bigint, slot: number): void {
  const window = windowSlots(use);
  const average = decayed(use.used, window, use.slot, slot);
  const total = (average * window + divideCeil(added * PRECISION, WINDOW) * WINDOW) / PRECISION;
  const remaining = (average * window) / PRECISION;
  const left = windowMilli(use) - BigInt(slot - use.slot) * MILLI;
  use.window =
    remaining === 0n ? FULL_MILLI : min(divideCeil(remaining * left + added * FULL_MILLI, total), FULL_MILLI);
  use.optimized = true;
  use.used = total;
}

/** What a receiver had used of stake it gives back becomes the owner's use: their windows are weighed together. */
export function takeOver(owner: ResourceUse, receiver: ResourceUse, moved: bigint, slot: number): void {
  increase(owner, 0n, slot);
  const total = owner.used + moved;
  owner.window =
    total === 0n
      ? FULL_MILLI
      : min(divideCeil(owner.used * windowMilli(owner) + moved * windowMilli(receiver), total), FULL_MILLI);
  owner.optimized = true;
  owner.used = total;
  owner.slot = slot;
}

/** Free bandwidth recovers over a plain window of a day. */
export function plainIncrease(used: bigint, added: bigint, from: number, to: number): bigint {
  const average = decayed(used, WINDOW, from, to) + divideCeil(added * PRECISION, WINDOW);
  return (average * WINDOW) / PRECISION;
}
