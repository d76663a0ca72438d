import { emptyInMs } from '../../../src/reporting/outlooks/empty-in';

const HOUR_MS = 3_600_000;
const flat = (least: bigint) => Array.from({ length: 25 }, (_, hour) => ({ afterMs: hour * HOUR_MS, least }));

describe('the time until nothing is left to lend', () => {
  it('is what is available by the rate of the last hour, when nothing comes back', () => {
    const outlook = { available: 300n, lentLastHour: 100n, points: flat(300n) };
    expect(emptyInMs(outlook, 48 * HOUR_MS)).toBe(3 * HOUR_MS);
  });

  it('is found between two hours', () => {
    const outlook = { available: 250n, lentLastHour: 100n, points: flat(250n) };
    expect(emptyInMs(outlook, 48 * HOUR_MS)).toBe(2.5 * HOUR_MS);
  });

  it('is longer when what is lent from now on comes back, and when more recovers than is lent, never', () => {
    const points = flat(1_000n);
    const alone = emptyInMs({ available: 1_000n, lentLastHour: 100n, points }, 48 * HOUR_MS)!;
    expect(emptyInMs({ available: 1_000n, lentLastHour: 100n, points }, HOUR_MS)!).toBeGreaterThan(alone);
    const growing = points.map(({ afterMs }, hour) => ({ afterMs, least: 1_000n + 200n * BigInt(hour) }));
    expect(emptyInMs({ available: 1_000n, lentLastHour: 100n, points: growing }, HOUR_MS)).toBeNull();
  });

  it('is now when nothing is left, and unknown without orders', () => {
    expect(emptyInMs({ available: 0n, lentLastHour: 1n, points: flat(0n) }, HOUR_MS)).toBe(0);
    expect(emptyInMs({ available: 5n, lentLastHour: 0n, points: flat(5n) }, HOUR_MS)).toBeNull();
  });
});
