import { heightOf, nextTrail, TRAIL_STEP } from '../../../src/chain/observer/trail';

const idOf = (number: number) => number.toString(16).padStart(16, '0') + 'ab'.repeat(24);

describe('the trail of a subscriber', () => {
  it('reaches back to its beginning by few ids, the next shared one no further below a fork than the fork is deep', () => {
    let trail: string[] = [];
    const newest = 40_000 * TRAIL_STEP;
    for (let number = TRAIL_STEP; number <= newest; number += TRAIL_STEP)
      trail = nextTrail(trail, { number, id: idOf(number) });
    const heights = trail.map(heightOf);
    expect(trail.length).toBeLessThan(60);
    expect(heights[0]).toBe(newest);
    expect(heights.at(-1)).toBeLessThanOrEqual(newest / 2);
    for (const fork of [newest - 1, newest - 20, newest - 333, newest - 9_999, newest - 300_000]) {
      const shared = heights.find((height) => height <= fork)!;
      expect(fork - shared).toBeLessThanOrEqual(Math.max(TRAIL_STEP, newest - fork));
    }
  });

  it('forgets what is above the newest block', () => {
    expect(nextTrail([idOf(60), idOf(40)], { number: 40, id: idOf(41) })).not.toContain(idOf(60));
  });
});
