const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The waits of Standard Webhooks 1.0, each behind the attempt before it; the first attempt waits for nothing. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Later by up to a tenth, so that what failed together does not come back together. */
const JITTER = 0.1;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** How long to wait behind the attempt at this step (0: the first); null when that was the last one. */
export function delayAfterMs(
  step: number,
  retryAfterMs: number | null,
  random: () => number = Math.random,
): number | null {
  const delayMs = DELAYS_MS[step];
  if (delayMs === undefined) return null;
  const waitMs = delayMs * (1 + JITTER * random());
  return Math.round(Math.max(waitMs, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)));
}

/** The header `Retry-After`: seconds, or a date of HTTP. Null when it is neither. */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const atMs = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
