import type { MomentRange } from '../reports/utc-days';

const DAY_MS = 86_400_000;
/** Before the first block of the network; and what no clock shows. */
const EARLIEST = '2018';
const LATEST = '2200';
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

/**
 * An edge of a range of the books, which are kept in UTC: a day (`2026-11-30`) is part of the range, as first and as last one; a moment
 * (`2026-11-30T12:00:00Z`) is part of it as the first, and not as the last. Null for anything else.
 */
export function readEdge(text: string): MomentRange | null {
  const isDay = DAY.test(text);
  if ((!isDay && !MOMENT.test(text)) || text < EARLIEST || text >= LATEST) return null;
  const at = new Date(isDay ? `${text}T00:00:00Z` : text);
  // The 30th of February would be read as the 2nd of March.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text.slice(0, 10)) return null;
  return { from: at, to: isDay ? new Date(at.getTime() + DAY_MS) : at };
}

/** `2026-11`: from its first day in UTC to the first of the next. Null for anything else. */
export function readMonth(text: string): MomentRange | null {
  if (!/^\d{4}-\d{2}$/.test(text)) return null;
  const first = readEdge(`${text}-01`);
  if (!first) return null;
  const { from } = first;
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) };
}

/** So many months later, or earlier: `2026-11` and 2 make `2027-01`. */
export function addMonths(month: string, count: number): string {
  const { from } = readMonth(month)!;
  return monthOf(new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, 1)));
}

/** The month of a moment, in UTC: `2026-11`. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}
