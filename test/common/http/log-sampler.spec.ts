import { type LeftOut, LogSampler } from '../../../src/common/http/log-sampler';

describe('a sample of log lines', () => {
  const leftOut: LeftOut[] = [];
  let sample: LogSampler;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    leftOut.length = 0;
    sample = new LogSampler((found) => leftOut.push(found));
  });
  afterEach(() => jest.useRealTimers());

  const written = (times: number, from: string, status: number | 'cut' = 401) =>
    Array.from({ length: times }, () => sample.admits(from, status)).filter(Boolean).length;

  it('has 20 lines of a caller and status a minute, and then how many there were', () => {
    expect([written(50, 'a'), written(50, 'b'), written(50, 'a', 'cut')]).toEqual([20, 20, 20]);
    jest.advanceTimersByTime(59_999);
    expect(leftOut).toEqual([]);
    expect(written(1, 'a')).toBe(0);
    jest.advanceTimersByTime(1);
    expect(leftOut).toEqual([
      {
        count: 91,
        statuses: { 401: 61, cut: 30 },
        callers: [
          { from: 'a', status: 401, calls: 51 },
          { from: 'b', status: 401, calls: 50 },
          { from: 'a', status: 'cut', calls: 50 },
        ],
      },
    ]);
    expect(written(50, 'a')).toBe(20);
    jest.advanceTimersByTime(60_000);
    expect(leftOut[1]).toMatchObject({ count: 30 });
    jest.advanceTimersByTime(600_000);
    expect(leftOut).toHaveLength(2);
  });

  it('says nothing while nothing is left out', () => {
    for (let minute = 0; minute < 3; minute++) {
      expect(written(20, 'a')).toBe(20);
      jest.advanceTimersByTime(60_000);
    }
    sample.close();
    expect(leftOut).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('stays small with any number of callers, and counts every line', () => {
    let lines = 0;
    for (let caller = 0; caller < 100_000; caller++) lines += written(1, `caller ${caller}`);
    expect(lines).toBe(600);
    sample.close();
    expect(leftOut).toEqual([{ count: 99_400, statuses: { 401: 99_400 }, callers: expect.any(Array) as unknown }]);
    expect(leftOut[0]!.callers).toHaveLength(10);
    expect(jest.getTimerCount()).toBe(0);
  });
});
