import { addDays, momentsOf, readRange } from '../../../src/panel/dates/date-range';
import { inZone, TIME_ZONES } from '../../../src/panel/layout/time-zone';

describe("a range of the reader's days", () => {
  const momentsIn = (query: Record<string, string>, timeZone: string | null, now: string) => {
    const { from, to } = momentsOf(readRange(query, { timeZone, now: new Date(now) }));
    return [from?.toISOString(), to?.toISOString()];
  };

  it.each([
    ['Asia/Shanghai', '2026-03-01T19:12:00Z', '2026-03-01T16:00:00.000Z', '2026-03-02T16:00:00.000Z'],
    ['America/New_York', '2026-01-10T03:00:00Z', '2026-01-09T05:00:00.000Z', '2026-01-10T05:00:00.000Z'],
    ['Asia/Calcutta', '2026-01-10T18:29:59Z', '2026-01-09T18:30:00.000Z', '2026-01-10T18:30:00.000Z'],
    ['UTC', '2026-03-01T19:12:00Z', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    [null, '2026-03-01T19:12:00Z', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['Not/AZone', '2026-03-01T19:12:00Z', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ])('today in %s, at %s', (zone, now, from, to) => {
    expect(momentsIn({ days: '1' }, zone, now)).toEqual([from, to]);
  });

  it('has 23 hours on the day on which the clocks go forward, and 25 when they go back', () => {
    const day = (date: string) => momentsIn({ from: date, to: date }, 'Europe/Berlin', '2026-06-01T00:00:00Z');
    expect(day('2026-03-29')).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
    expect(day('2026-10-25')).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  });

  it.each([
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z', '2026-03-30T00:00:00.000Z'],
  ])('begins at one where the clocks go forward at midnight: %s on %s', (zone, date, from, to) => {
    expect(momentsIn({ from: date, to: date }, zone, '2026-06-01T00:00:00Z')).toEqual([from, to]);
  });

  it('begins in every zone with the first second of its day', () => {
    const wrong: string[] = [];
    for (const timeZone of TIME_ZONES)
      for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
        const { from } = momentsOf({ range: { from: day, to: day }, timeZone });
        const before = new Date(from!.getTime() - 1_000);
        if (!inZone(from!, timeZone)!.startsWith(day) || inZone(before, timeZone)! >= day)
          wrong.push(`${timeZone} ${day}: ${from!.toISOString()}`);
      }
    expect(wrong).toEqual([]);
  });
});
