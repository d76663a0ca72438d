import type { Report } from '../../../src/reporting/reports/order-report';
import { percentOf } from '../../../src/panel/business/percent';
import { bucketsOf, daysOfBucket } from '../../../src/panel/business/time-buckets';
import { ticksUpTo } from '../../../src/panel/charts/ticks';
import { readRange } from '../../../src/panel/dates/date-range';

const NOTHING = {
  orders: 0n,
  succeeded: 0n,
  failed: 0n,
  charged_sun: 0n,
  energy: 0n,
  landed: 0n,
  activations: 0n,
  activated_sun: 0n,
};
const reportOf = (...at: string[]): Report => ({
  times: at.map((time) => ({ ...NOTHING, at: new Date(time), orders: 2n, succeeded: 1n, failed: 1n, charged_sun: 3n })),
  users: [],
  payers: [],
  total: NOTHING,
  customers: { all: 0, charged: 0 },
});

describe('the bars of a chart', () => {
  it('are one for each day of a range, those without orders too, with what was refused', () => {
    const range = { from: '2026-02-27', to: '2026-03-02' };
    const buckets = bucketsOf(range, reportOf('2026-02-28T00:00:00Z'), new Map([['2026-03-01', 5n]]));
    expect(buckets.map(({ from, orders, refused }) => [from, orders, refused])).toEqual([
      ['2026-02-27', 0n, 0n],
      ['2026-02-28', 2n, 0n],
      ['2026-03-01', 0n, 5n],
    ]);
  });

  it('are the 24 hours of a single day', () => {
    const range = { from: '2026-02-28', to: '2026-03-01' };
    const buckets = bucketsOf(range, reportOf('2026-02-28T23:00:00Z'), new Map());
    expect(buckets).toHaveLength(24);
    expect(buckets.at(-1)).toMatchObject({ from: '2026-02-28T23:00Z', orders: 2n, charged_sun: 3n });
  });

  it.each([
    [92, 1],
    [93, 2],
    [400, 5],
    [66_000, 718],
  ])('are several days each when the range has %i, so that there are never more than 92', (days, size) => {
    const from = '2020-01-01';
    const to = new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
    const last = new Date(Date.parse(to) - 1).toISOString();
    const buckets = bucketsOf({ from, to }, reportOf(`${from}T00:00:00Z`, last), new Map());
    expect(daysOfBucket({ from, to })).toBe(size);
    expect(buckets.length).toBeLessThanOrEqual(92);
    expect(buckets.reduce((sum, { orders }) => sum + orders, 0n)).toBe(4n);
    expect(buckets[0]!.orders).toBeGreaterThan(0n);
    expect(buckets.at(-1)!.orders).toBeGreaterThan(0n);
  });
});

describe('an axis', () => {
  it.each([0, 0.4, 1, 3, 4, 5, 7, 19, 99, 100, 101, 12_345, 999_999])('reaches %d with few round marks', (most) => {
    const ticks = ticksUpTo(most);
    expect(ticks[0]).toBe(0);
    expect(ticks.at(-1)!).toBeGreaterThanOrEqual(most);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(new Set(ticks.map(String)).size).toBe(ticks.length);
    expect(ticks.every((tick) => Number.isInteger(tick))).toBe(true);
  });
});

describe('a share', () => {
  it('is never rounded up to all', () => {
    expect(percentOf(99_999n, 100_000n)).toBe('99.9 %');
    expect(percentOf(1n, 3n)).toBe('33.3 %');
    expect(percentOf(0n, 0n)).toBeNull();
  });
});

describe('a range of dates', () => {
  const now = new Date('2026-03-01T00:30:00Z');
  it('of seven days has today in it, and its end is the first day behind it', () => {
    expect(readRange({ days: '7' }, { now }).range).toEqual({ from: '2026-02-23', to: '2026-03-02' });
    expect(readRange({}, { fallback: 1, now }).range).toEqual({ from: '2026-03-01', to: '2026-03-02' });
  });
  it('goes by the dates that were typed, rather than by a preset', () => {
    const asked = readRange({ days: '7', from: '2024-02-29', to: '2024-02-29' }, { fallback: 30, now });
    expect(asked).toMatchObject({ preset: null, range: { from: '2024-02-29', to: '2024-03-01' }, problem: null });
  });
  it.each([
    ['2026-02-30', '', 'from', 'badDate'],
    ['', '2023-02-29', 'to', 'badDate'],
    ['2026-02-02', '2026-02-01', 'to', 'wrongOrder'],
    ['9999-01-01', '', 'from', 'badDate'],
  ])('from "%s" to "%s" is none, and says why', (from, to, field, text) => {
    expect(readRange({ from, to }, { fallback: 7, now })).toMatchObject({ range: null, problem: { field, text } });
  });
});
