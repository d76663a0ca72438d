import type { BarRow, OrderReport, Report } from '../../reporting/reports/order-report';
import { utcDaysOf } from '../../reporting/reports/utc-days';
import {
  addDays,
  dayOf,
  daysIn,
  isOfUtcDays,
  midnightOf,
  type Range,
  spanOf,
  type ZonedRange,
} from '../dates/date-range';
import { withOffset } from '../layout/time-zone';

/** More bars than these say no more. */
const MOST_BUCKETS = 92;
/** Days of another zone than UTC have no sums: their bars are counted order by order, these in a tenth of a second. */
export const MOST_COUNTED = 100_000n;
const HOUR_MS = 3_600_000;

export interface TimeBucket extends Omit<BarRow, 'at'> {
  /** A day, or an hour of the reader's: `2026-01-31`, or `2026-01-31T07:00+05:30`. */
  readonly from: string;
  readonly refused: bigint;
}

export interface TimeBars {
  /** Refused attempts are counted by the UTC day, and have a place in such bars alone. */
  readonly of: 'hours' | 'days' | 'utc-days';
  readonly buckets: readonly TimeBucket[];
}

/** A single day is shown by the hour. */
export function isHourly(range: Range): boolean {
  return daysIn(range) === 1;
}

/** Days of one bar. */
export function daysOfBucket(range: Range): number {
  return Math.ceil(daysIn(range) / MOST_BUCKETS);
}

/** Every bar of a range, those without orders too; UTC days where there are too many orders to count the reader's. */
export async function readBars(
  reports: Pick<OrderReport, 'bars'>,
  asked: ZonedRange,
  report: Pick<Report, 'times' | 'total'>,
  refused: ReadonlyMap<string, bigint>,
  userId: string | null = null,
): Promise<TimeBars> {
  if (isHourly(asked.range)) return { of: 'hours', buckets: hoursOf(asked, report.times) };
  if (isOfUtcDays(asked) || report.total.orders > MOST_COUNTED) {
    return { of: 'utc-days', buckets: utcDays(utcDaysOf(spanOf(asked)), report.times, refused) };
  }
  const days = firstDays(asked.range);
  const begins = days.map((day) => midnightOf(day, asked.timeZone));
  const counted = byMoment(await reports.bars(spanOf(asked), begins, userId));
  return { of: 'days', buckets: days.map((day, bar) => sumOf(day, [counted.get(begins[bar]!.getTime()) ?? {}])) };
}

/** From the day's first moment on: 23 or 25 of them on some days, the last one shorter where clocks change by half an hour. */
function hoursOf(asked: ZonedRange, times: readonly BarRow[]): TimeBucket[] {
  const { from, to } = spanOf(asked);
  const counted = byMoment(times);
  return Array.from({ length: Math.ceil((to.getTime() - from.getTime()) / HOUR_MS) }, (_, hour) => {
    const at = new Date(from.getTime() + hour * HOUR_MS);
    return sumOf(withOffset(at, asked.timeZone), [counted.get(at.getTime()) ?? {}]);
  });
}

function utcDays(days: Range, times: readonly BarRow[], refused: ReadonlyMap<string, bigint>): TimeBucket[] {
  const parts = new Map(firstDays(days).map((day): [string, Counted[]] => [day, []]));
  const size = daysOfBucket(days);
  const add = (day: string, counts: Counted) =>
    parts.get(addDays(days.from, Math.floor(daysIn({ from: days.from, to: day }) / size) * size))?.push(counts);
  for (const { at, ...counts } of times) add(dayOf(at), counts);
  for (const [day, attempts] of refused) add(day, { refused: attempts });
  return [...parts].map(([day, counted]) => sumOf(day, counted));
}

/** Of each bar. */
function firstDays(range: Range): string[] {
  const size = daysOfBucket(range);
  return Array.from({ length: Math.ceil(daysIn(range) / size) }, (_, bar) => addDays(range.from, bar * size));
}

function byMoment(rows: readonly BarRow[]): ReadonlyMap<number, BarRow> {
  return new Map(rows.map((row) => [row.at.getTime(), row]));
}

type Counted = Partial<Omit<TimeBucket, 'from'>>;

function sumOf(from: string, counted: readonly Counted[]): TimeBucket {
  const sum = (key: keyof Counted) => counted.reduce((all, one) => all + (one[key] ?? 0n), 0n);
  return {
    from,
    orders: sum('orders'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    charged_sun: sum('charged_sun'),
    refused: sum('refused'),
  };
}
