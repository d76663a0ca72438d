import type { Report } from '../../../src/reporting/reports/order-report';
import { percentOf } from '../../../src/panel/layout/values';
import { daysOfBucket, MOST_COUNTED, readBars } from '../../../src/panel/business/time-buckets';
import { ticksUpTo } from '../../../src/panel/charts/ticks';
import { addDays, type Range, readRange, spanOf } from '../../../src/panel/dates/date-range';

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

const inUtc = (range: Range) => ({ range, timeZone: 'UTC' });
const none = { bars: () => Promise.reject(new Error('no order has to be counted')) };

describe('the bars of a chart', () => {
  it('are one for each day of a range, those without orders too, with what was refused', async () => {
    const range = { from: '2026-02-27', to: '2026-03-02' };
    const report = reportOf('2026-02-28T00:00:00Z');
    const { of, buckets } = await readBars(none, inUtc(range), report, new Map([['2026-03-01', 5n]]));
    expect(of).toBe('utc-days');
    expect(buckets.map(({ from, orders, refused }) => [from, orders, refused])).toEqual([
      ['2026-02-27', 0n, 0n],
      ['2026-02-28', 2n, 0n],
      ['2026-03-01', 0n, 5n],
    ]);
  });

  it.each([
    ['UTC', '2026-02-28', 24, '2026-02-28T00:00Z', '2026-02-28T23:00Z'],
    ['Asia/Calcutta', '2026-02-28', 24, '2026-02-28T00:00+05:30', '2026-02-28T23:00+05:30'],
    ['America/New_York', '2026-03-08', 23, '2026-03-08T00:00-05:00', '2026-03-08T23:00-04:00'],
    ['America/New_York', '2026-11-01', 25, '2026-11-01T00:00-04:00', '2026-11-01T23:00-05:00'],
    ['Pacific/Kiritimati', '2026-02-28', 24, '2026-02-28T00:00+14:00', '2026-02-28T23:00+14:00'],
    // The clocks go forward by half an hour at two.
    ['Australia/Lord_Howe', '2026-10-04', 24, '2026-10-04T00:00+10:30', '2026-10-04T23:30+11:00'],
  ])('are the hours of the day in %s on %s, %i of them', async (timeZone, day, count, first, last) => {
    const asked = { range: { from: day, to: addDays(day, 1) }, timeZone };
    const third = new Date(spanOf(asked).from.getTime() + 2 * 3_600_000).toISOString();
    const { of, buckets } = await readBars(none, asked, reportOf(third), new Map());
    expect(of).toBe('hours');
    expect(buckets).toHaveLength(count);
    expect([buckets[0]!.from, buckets.at(-1)!.from]).toEqual([first, last]);
    expect(new Set(buckets.map(({ from }) => from)).size).toBe(count);
    expect(buckets.map(({ orders }) => orders).indexOf(2n)).toBe(2);
  });

  it("are the reader's days as long as their orders can be counted, else each UTC day that those touch", async () => {
    const asked = { range: { from: '2026-02-27', to: '2026-03-01' }, timeZone: 'Asia/Shanghai' };
    const report = (orders: bigint) => ({
      ...reportOf('2026-02-26T00:00:00Z', '2026-02-28T00:00:00Z'),
      total: { ...NOTHING, orders },
    });
    const refused = new Map([['2026-02-26', 5n]]);
    const counted = { ...NOTHING, at: new Date('2026-02-27T16:00:00Z'), orders: 7n };
    const own = await readBars({ bars: () => Promise.resolve([counted]) }, asked, report(MOST_COUNTED), refused);
    expect([own.of, ...own.buckets.map(({ from, orders, refused: lost }) => [from, orders, lost])]).toEqual([
      'days',
      ['2026-02-27', 0n, 0n],
      ['2026-02-28', 7n, 0n],
    ]);
    const kept = await readBars(none, asked, report(MOST_COUNTED + 1n), refused);
    expect([kept.of, ...kept.buckets.map(({ from, orders, refused: lost }) => [from, orders, lost])]).toEqual([
      'utc-days',
      ['2026-02-26', 2n, 5n],
      ['2026-02-27', 0n, 0n],
      ['2026-02-28', 2n, 0n],
    ]);
  });

  it.each([
    [92, 1],
    [93, 2],
    [400, 5],
    [66_000, 718],
  ])('are several days each when the range has %i, so that there are never more than 92', async (days, size) => {
    const from = '2020-01-01';
    const to = new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
    const last = new Date(Date.parse(to) - 1).toISOString();
    const { buckets } = await readBars(none, inUtc({ from, to }), reportOf(`${from}T00:00:00Z`, last), new Map());
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
