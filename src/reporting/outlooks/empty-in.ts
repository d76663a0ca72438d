interface Outlook {
  /** Energy. */
  readonly available: bigint;
  readonly lentLastHour: bigint;
  readonly points: readonly { readonly afterMs: number; readonly least: bigint }[];
}

const HOUR_MS = 3_600_000;
/** Used energy recovers evenly over a day. */
const RECOVERY_MS = 24 * HOUR_MS;

/**
 * When nothing is left to lend if as much is lent each hour as in the last one; null: not within the hours of the points. Cautious: what
 * comes back counts as used. The last straight piece tells the minute. An estimate for people: no money goes by it.
 */
export function emptyInMs({ available, lentLastHour, points }: Outlook, reclaimDelayMs: number): number | null {
  if (lentLastHour === 0n) return null;
  if (available === 0n) return 0;
  const anHour = Number(lentLastHour);
  const left = (afterMs: number, least: number) => {
    const hours = afterMs / HOUR_MS;
    // Energy that is lent from now on comes back too, evenly, each piece of it recovering since.
    const backMs = Math.max(0, afterMs - reclaimDelayMs);
    const recovered = (anHour / HOUR_MS) * (backMs ** 2 / (2 * RECOVERY_MS));
    return least - anHour * hours + recovered;
  };
  let before = { afterMs: 0, left: Number(available) };
  for (const { afterMs, least } of points) {
    const now = { afterMs, left: left(afterMs, Number(least)) };
    if (afterMs > 0 && now.left <= 0) {
      return before.afterMs + ((now.afterMs - before.afterMs) * before.left) / (before.left - now.left);
    }
    if (afterMs > 0) before = now;
  }
  return null;
}
