import { BoundedWindows, MOST_WINDOWS, SHARED_WINDOWS } from '../../src/rate-limit/bounded-windows';
import { RateLimitStorage } from '../../src/rate-limit/rate-limit.storage';
import { freezeDate } from '../support/frozen-date';

const MINUTE_MS = 60_000;

describe('windows in memory', () => {
  const date = freezeDate();

  it('are bounded, and three times as many addresses as there is room for set no caller back', async () => {
    const windows = new BoundedWindows();
    const storage = new RateLimitStorage(() => windows);
    const call = (key: string) => storage.increment(key, 60_000, 30, 0, 'test');
    for (let i = 0; i < 31; i++) await call('guesser');
    expect(await call('guesser')).toMatchObject({ isBlocked: true });
    for (let i = 0; i < 3 * MOST_WINDOWS; i++) await windows.add(`address ${i}`, MINUTE_MS);
    expect(windows.size).toBe(MOST_WINDOWS + SHARED_WINDOWS);
    expect(await call('guesser')).toMatchObject({ isBlocked: true, timeToExpire: 60 });
    // An address that is counted together with strangers is not forgotten either, also when there is room again.
    expect(await call('late')).toMatchObject({ isBlocked: true });
    date.advance(59_999);
    expect([await call('guesser'), await call('late')]).toMatchObject([{ isBlocked: true }, { isBlocked: true }]);
    date.advance(1);
    expect(await call('guesser')).toMatchObject({ isBlocked: false, totalHits: 1, timeToExpire: 60 });
    expect(await call('late')).toMatchObject({ isBlocked: false, totalHits: 1, timeToExpire: 60 });
    date.advance(120_000);
    await call('guesser');
    expect(windows.size).toBeLessThanOrEqual(2 + SHARED_WINDOWS);
  });

  it('last as long as they were opened for, beside longer and shorter ones', async () => {
    const windows = new BoundedWindows();
    const points = async (key: string, seconds: number) => (await windows.add(key, seconds * 1000)).calls;
    await points('short', 5);
    await points('long', 60);
    for (let second = 1; second < 60; second++) {
      date.advance(1000);
      expect(await points('long', 60)).toBe(second + 1);
      expect(await points('short', 5)).toBe((second % 5) + 1);
    }
    date.advance(1000);
    expect(await points('long', 60)).toBe(1);
  });

  it('do not last longer because the clock was set back', async () => {
    const windows = new BoundedWindows();
    await windows.add('a', MINUTE_MS);
    date.advance(-3_600_000);
    expect((await windows.add('a', MINUTE_MS)).msLeft).toBe(60_000);
    date.advance(60_000);
    expect((await windows.add('a', MINUTE_MS)).calls).toBe(1);
  });

  it('take no call back that a window before them has counted', async () => {
    const storage = new RateLimitStorage(() => new BoundedWindows());
    const call = () => storage.increment('caller', 60_000, 2, 0, 'test');
    await call();
    date.advance(50_000);
    const { timeToExpire } = await call();
    date.advance(10_000);
    expect(await call()).toMatchObject({ totalHits: 1 });
    await storage.giveBack('caller', timeToExpire, 'test');
    expect(await call()).toMatchObject({ totalHits: 2 });
    expect(await call()).toMatchObject({ isBlocked: true });
  });

  it('take calls back, and know nothing of calls in windows that have ended', async () => {
    const windows = new BoundedWindows(1);
    const keys = ['own', 'sharing'];
    for (const key of keys) {
      await windows.add(key, MINUTE_MS);
      await windows.add(key, MINUTE_MS);
      await windows.takeBack(key, MINUTE_MS);
      expect(await windows.add(key, MINUTE_MS)).toMatchObject({ calls: 2 });
    }
    date.advance(60_000);
    for (const key of keys) {
      await windows.takeBack(key, MINUTE_MS);
      expect(await windows.add(key, MINUTE_MS)).toMatchObject({ calls: 1 });
    }
  });

  it('begin again after their only call was taken back', async () => {
    const windows = new BoundedWindows(1);
    for (const key of ['own', 'sharing']) {
      await windows.add(key, MINUTE_MS);
      date.advance(1000);
      await windows.takeBack(key, MINUTE_MS);
      expect(await windows.add(key, MINUTE_MS)).toEqual({ calls: 1, msLeft: MINUTE_MS });
    }
  });
});
