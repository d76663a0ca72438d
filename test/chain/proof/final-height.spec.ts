import { finalHeight, vouchedHeight } from '../../../src/chain/proof/final-height';

const heights = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

describe('heights by the newest block of each witness', () => {
  it.each([
    [27, 9],
    [5, 2],
    [4, 2],
    [3, 2],
    [2, 2],
    [1, 1],
  ])('of %d, so many vouch for a time as can not all be wrong, and never one alone beside others: %d', (n, needed) => {
    const all = heights(101, n);
    expect(vouchedHeight(all)).toBe(101 + n - needed);
    // The newest ones, however far ahead, move nothing while they are too few.
    const ahead = all.map((height, at) => (at >= n - needed + 1 ? height + 1_000 : height));
    expect(vouchedHeight(ahead)).toBe(101 + n - needed);
    expect(finalHeight(all)).toBeLessThan(vouchedHeight(all));
  });

  it('no witness vouches for anything while too few have signed', () => {
    expect(vouchedHeight([...heights(101, 8), ...heights(0, 19).map(() => 0)])).toBe(0);
    expect(vouchedHeight([])).toBe(0);
  });
});
