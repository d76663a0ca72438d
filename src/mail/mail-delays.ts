const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Behind each failed attempt, the last one behind all further ones. */
export const DELAYS_MS: readonly number[] = [
  5_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
];

/** By then a relay that refuses every address has been alarmed about for hours, and a refusal is taken to be about the address. */
export const REFUSED_FOR_GOOD_MS = 3 * HOUR_MS;

/** More than any mail has in its day: what has so many has ended each instance that sent it. */
const MOST_ATTEMPTS = 30;

/** For an attempt that is about to begin, itself counted. */
export function isGivenUp(attempts: number, ageMs: number): boolean {
  return ageMs >= DAY_MS || attempts > MOST_ATTEMPTS;
}

/** Until the next attempt; null when the mail would be older than a day by then. */
export function delayAfter(attempts: number, ageMs: number): number | null {
  const delayMs = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1]!;
  return ageMs + delayMs < DAY_MS ? delayMs : null;
}
