import type { OrderCounts, Report } from '../../reporting/reports/order-report';
import { addDays, dayOf, daysIn, type Range } from '../dates/date-range';

/** More bars than these say no more. */
const MOST_BUCKETS = 92;
const HOUR_MS = 3_600_000;

export interface TimeBucket extends Pick<OrderCounts, 'orders' | 'succeeded' | 'failed' | 'charged_sun'> {
  /** A day, or an hour: `2026-01-31` or `2026-01-31T07:00Z`. */
  readonly from: string;
  readonly refused: bigint;
}

/** A single day is shown by the hour. */
export function isHourly(range: Range): boolean {
  return daysIn(range) === 1;
}

/** Days of one bar. */
export function daysOfBucket(range: Range): number {
  return Math.ceil(daysIn(range) / MOST_BUCKETS);
}

/** Every bar of a range, those without orders too. Refused attempts are counted by the day, and so have no place in hours. */
export function bucketsOf(range: Range, report: Report, refused: ReadonlyMap<string, bigint>): TimeBucket[] {
  const hourly = isHourly(range);
  const size = daysOfBucket(range);
  const empty = hourly ? hoursOf(range.from) : daysOf(range, size);
  const buckets = new Map(empty.map((from) => [from, { ...NOTHING, from }]));
  const add = (day: string, more: Partial<Omit<TimeBucket, 'from'>>) => {
    const from = hourly ? day : addDays(range.from, Math.floor(daysIn({ from: range.from, to: day }) / size) * size);
    const earlier = buckets.get(from);
    if (!earlier) return;
    const sum = (key: keyof typeof NOTHING) => earlier[key] + (more[key] ?? 0n);
    buckets.set(from, {
      from,
      orders: sum('orders'),
      succeeded: sum('succeeded'),
      failed: sum('failed'),
      charged_sun: sum('charged_sun'),
      refused: sum('refused'),
    });
  };
  for (const { at, orders, succeeded, failed, charged_sun } of report.times) {
    add(hourly ? hourOf(at) : dayOf(at), { orders, succeeded, failed, charged_sun });
  }
  if (!hourly) for (const [day, attempts] of refused) add(day, { refused: attempts });
  return [...buckets.values()];
}

const NOTHING = { orders: 0n, succeeded: 0n, failed: 0n, charged_sun: 0n, refused: 0n };

function daysOf(range: Range, size: number): string[] {
  return Array.from({ length: Math.ceil(daysIn(range) / size) }, (_, index) => addDays(range.from, index * size));
}

function hoursOf(day: string): string[] {
  const begin = Date.parse(`${day}T00:00:00Z`);
  return Array.from({ length: 24 }, (_, hour) => hourOf(new Date(begin + hour * HOUR_MS)));
}

function hourOf(at: Date): string {
  return `${at.toISOString().slice(0, 13)}:00Z`;
}
