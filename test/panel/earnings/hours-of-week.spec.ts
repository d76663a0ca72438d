import { averageText, demandDays, hourText, weekOf } from '../../../src/panel/earnings/hours-of-week';
import { changePercent, yearlyPercent } from '../../../src/panel/earnings/percents';

const hour = (at: string, transactions: bigint) => ({ at: new Date(at), orders: 1n, energy: transactions * 65_000n });
/** Two weeks from a Monday on. */
const DAYS = { from: '2026-03-02', to: '2026-03-16' };
const HOURS = [
  hour('2026-03-02T09:00:00Z', 2n),
  hour('2026-03-03T10:00:00Z', 1n),
  hour('2026-03-09T09:00:00Z', 4n),
  hour('2026-03-15T23:00:00Z', 3n),
];
const options = (more: object = {}) => ({
  since: new Date('2026-02-01T00:00:00Z'),
  now: new Date('2026-04-01T00:00:00Z'),
  timeZone: 'UTC',
  ...more,
});
const cellsOf = (week: ReturnType<typeof weekOf>) =>
  week.rows
    .flat()
    .filter(({ tenths }) => tenths > 0n)
    .map(({ weekday, hour: at, tenths, shade }) => [weekday, at, tenths, shade]);

describe('demand by hour of the week', () => {
  it('is nothing without orders, in every one of its cells', () => {
    const { rows, busiest } = weekOf([], DAYS, options({ since: null }));
    expect(rows.map((cells) => cells.map(({ weekday }) => weekday))).toEqual(
      Array.from({ length: 24 }, () => [0, 1, 2, 3, 4, 5, 6]),
    );
    expect(rows.flat().every(({ tenths, shade }) => tenths === 0n && shade === 0)).toBe(true);
    expect(busiest).toBeNull();
  });

  it('is the average of each hour over the weeks, shaded by its share of the busiest', () => {
    const week = weekOf(HOURS, DAYS, options());
    expect(cellsOf(week)).toEqual([
      // 2 and 4 transactions on two Mondays; 1 and none; none and 3.
      [0, 9, 30n, 5],
      [1, 10, 5n, 1],
      [6, 23, 15n, 3],
    ]);
    expect(week.busiest).toMatchObject({ weekday: 0, hour: 9 });
  });

  it('has the hours of the reader’s zone', () => {
    expect(cellsOf(weekOf(HOURS, DAYS, options({ timeZone: 'Asia/Shanghai' })))).toContainEqual([0, 7, 15n, 3]);
    // At half past two in the afternoon.
    expect(cellsOf(weekOf(HOURS, DAYS, options({ timeZone: 'Asia/Kolkata' })))).toContainEqual([0, 14, 30n, 5]);
  });

  it('counts whole hours from the first order’s on, and not the one that lasts', () => {
    const since = new Date('2026-03-09T08:30:00Z');
    expect(cellsOf(weekOf(HOURS.slice(2), DAYS, options({ since })))).toContainEqual([0, 9, 40n, 5]);
    const now = new Date('2026-03-09T09:59:59Z');
    expect(cellsOf(weekOf(HOURS.slice(0, 3), DAYS, options({ now })))).toEqual([
      [0, 9, 20n, 5],
      [1, 10, 10n, 3],
    ]);
  });

  it('has the newest 91 days of a range, up to today', () => {
    const now = new Date('2026-03-31T12:00:00Z');
    expect(demandDays({ from: '2018-01-01', to: '2200-01-01' }, now)).toEqual({ from: '2025-12-31', to: '2026-04-01' });
    expect(demandDays(DAYS, now)).toEqual(DAYS);
  });

  it('is written with a place below ten', () => {
    expect([0n, 5n, 99n, 100n, 12_345n].map(averageText)).toEqual(['0.0', '0.5', '9.9', '10', '1\u202f234']);
    expect(hourText(7)).toBe('07:00');
  });
});

describe('percentages of earnings', () => {
  it.each([
    [null, '–'],
    [0n, '0.00 %'],
    [5n, '0.05 %'],
    [230n, '2.30 %'],
    [123_456n, '1\u202f234.56 %'],
  ])('%s hundredths a year are %s', (hundredths, text) => expect(yearlyPercent(hundredths)).toBe(text));

  it.each([
    [0n, 5n, null],
    [8n, 8n, '0.0 %'],
    [8n, 9n, '+12.5 %'],
    [3n, 2n, '\u221233.3 %'],
    [1n, 21n, '+2\u202f000.0 %'],
    [7n, 0n, '\u2212100.0 %'],
  ])('from %s to %s are %s', (before, after, text) => expect(changePercent(before, after)).toBe(text));
});
