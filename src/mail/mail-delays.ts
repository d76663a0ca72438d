const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Behind each failed attempt; after the last one, a day later, the mail is given up. */
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
  8 * HOUR_MS,
];
