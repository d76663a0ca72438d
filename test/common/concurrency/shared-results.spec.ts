import { SharedResults } from '../../../src/common/concurrency/shared-results';

describe('shared results', () => {
  it('are worked out once for each key, but for those that failed', async () => {
    const results = new SharedResults(10);
    let runs = 0;
    const work = async () => ++runs;
    expect(await Promise.all([results.once('a', work), results.once('a', work), results.once('b', work)])).toEqual([
      1, 1, 2,
    ]);
    const failing = results.once('c', async () => {
      throw new Error('no');
    });
    expect(results.has('c')).toBe(true);
    await expect(failing).rejects.toThrow('no');
    expect(results.has('c')).toBe(false);
    expect(await results.once('c', work)).toBe(3);
  });

  it('are never more than their bound: the oldest go', async () => {
    const results = new SharedResults(2);
    for (const key of ['a', 'b', 'c']) await results.once(key, async () => key);
    expect(['a', 'b', 'c'].map((key) => results.has(key))).toEqual([false, true, true]);
  });
});
