const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export interface Span {
  readonly from: Date;
  /** Null: it lasts. */
  readonly until: Date | null;
}

/** How many minutes of a UTC day lie in the spans, which do not overlap; a minute that has begun counts. */
export function downMinutes(date: string, spans: readonly Span[], now: Date): number {
  const begin = Date.parse(date);
  const ms = spans.reduce((sum, { from, until }) => {
    const end = Math.min((until ?? now).getTime(), begin + DAY_MS);
    return sum + Math.max(0, end - Math.max(from.getTime(), begin));
  }, 0);
  return Math.ceil(ms / MINUTE_MS);
}
