import { appendFileSync } from 'node:fs';

/** Set by `npm run test:safety`: which part of each bar's own count is wanted, and where to write what was done. */
const SHARE = process.env['SAFETY_SHARE'];
const RESULTS = process.env['SAFETY_RESULTS'];

/** How many of the count that the bar names: the wanted share of it, and so many where every change is checked. */
export function countOf(full: number, always: number): number {
  return SHARE === undefined ? always : Math.max(1, Math.round(full * Number(SHARE)));
}

/** For a test that does so many things: a time-out that goes with them, never less than jest's own. */
export function timeFor(count: number, eachMs: number): number {
  return 900_000 + count * eachMs;
}

/** One line of the run's own account, for docs/safety.md. `unit` is a plural; the same unit of one bar is added up. */
export function record(bar: number, unit: string, done: number, of: number, seen: string): void {
  if (RESULTS !== undefined) appendFileSync(RESULTS, `${JSON.stringify({ bar, unit, done, of, seen })}\n`);
}
