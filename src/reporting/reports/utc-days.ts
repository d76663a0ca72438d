import type { Days } from '../refusals/refused-attempt.repository';

const DAY_MS = 86_400_000;

/** The first moment, and the first one behind it. */
export interface MomentRange {
  readonly from: Date;
  readonly to: Date;
}

/** Each UTC day that a range touches: what is kept by the day cannot be cut by another zone's midnight. */
export function utcDaysOf({ from, to }: MomentRange): Days {
  return { from: dayOf(from), to: dayOf(new Date(to.getTime() + DAY_MS - 1)) };
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
