import fc from 'fast-check';
import { CallRate } from '../../../../src/chain/tron/node/call-rate';

describe('the calls a second that a node bears', () => {
  /** Calls as a node sees them: each begins, arrives later, and is answered later still. */
  interface Call {
    readonly isBlock: boolean;
    readonly arrivesAfterMs: number;
    readonly answeredAfterMs: number;
  }

  /** Always as many as may begin; the times at which they arrive. */
  function arrivals(rate: CallRate, calls: readonly Call[]): number[] {
    const arrived: number[] = [];
    const underWay: { endMs: number; isBlock: boolean }[] = [];
    let nowMs = 0;
    for (const { isBlock, arrivesAfterMs, answeredAfterMs } of calls) {
      for (;;) {
        for (const call of underWay.filter(({ endMs }) => endMs <= nowMs)) {
          underWay.splice(underWay.indexOf(call), 1);
          rate.end(call.isBlock, call.endMs);
        }
        const waitMs = rate.waitMs(isBlock, nowMs);
        if (waitMs === 0) break;
        nowMs = Math.min(nowMs + waitMs, ...underWay.map(({ endMs }) => endMs));
      }
      rate.begin(isBlock);
      arrived.push(nowMs + arrivesAfterMs);
      underWay.push({ endMs: nowMs + arrivesAfterMs + answeredAfterMs, isBlock });
      underWay.sort((a, b) => a.endMs - b.endMs);
    }
    return arrived.toSorted((a, b) => a - b);
  }

  it('are never exceeded in any sliding second, however long the way to the node takes', () => {
    const call = fc.record({
      isBlock: fc.boolean(),
      arrivesAfterMs: fc.integer({ min: 0, max: 900 }),
      answeredAfterMs: fc.integer({ min: 0, max: 300 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(call, { maxLength: 120 }), (limit, calls) => {
        const times = arrivals(new CallRate(limit), calls);
        for (let at = limit; at < times.length; at++) expect(times[at]! - times[at - limit]!).toBeGreaterThan(1000);
      }),
    );
  });

  it('are used up: what may begin does not wait longer than a second after the answers', () => {
    const calls = Array.from({ length: 150 }, () => ({ isBlock: false, arrivesAfterMs: 1, answeredAfterMs: 1 }));
    const times = arrivals(new CallRate(15), calls);
    // Thirteen a second for others than blocks.
    expect(times.at(-1)).toBeLessThan(12_000);
  });

  it('are found by the node’s refusals: no limit before the first, then what it bore', () => {
    const rate = new CallRate(null);
    for (let at = 0; at < 26; at++) {
      expect(rate.waitMs(false, 0)).toBe(0);
      rate.begin(false);
    }
    for (let at = 0; at < 26; at++) {
      if (at < 11) rate.refused(null, 5);
      rate.end(false, 5);
    }
    expect(rate.perSecond).toBe(15);
    expect(rate.pausedMs(5)).toBe(1_000);
  });

  describe('are tried for more', () => {
    /** Second by second, as many as are wanted and may begin; refused beyond what is borne. The seconds with refusals. */
    function live(rate: CallRate, fromS: number, toS: number, wanted: number, borne: number): number[] {
      const refusedAt: number[] = [];
      for (let second = fromS; second < toS; second++) {
        const nowMs = second * 1_100;
        let begun = 0;
        for (; begun < wanted && rate.waitMs(true, nowMs) === 0; begun++) {
          rate.begin(true);
          if (begun < borne) rate.accepted(nowMs);
          else rate.refused(null, nowMs);
          rate.end(true, nowMs);
        }
        if (begun > borne) refusedAt.push(second);
      }
      return refusedAt;
    }

    it('while more are wanted: soon after the first refusal, and less often each time that this is refused', () => {
      const rate = new CallRate(null);
      const refusedAt = live(rate, 0, 1_000, 99, 15);
      const gaps = refusedAt.slice(1).map((second, at) => second - refusedAt[at]!);
      expect(gaps[0]).toBeLessThan(10);
      expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
      expect(gaps.at(-1)).toBeGreaterThan(80);
      expect(rate.perSecond).toBe(15);
    });

    it('not while no caller wants more', () => {
      const rate = new CallRate(null);
      live(rate, 0, 1, 16, 15);
      expect(live(rate, 2, 1_000, 10, 15)).toEqual([]);
      expect(rate.perSecond).toBe(15);
    });

    it('in growing steps once the node bears them', () => {
      const rate = new CallRate(null);
      live(rate, 0, 1, 99, 15);
      live(rate, 1, 30, 1_000, 500);
      expect(rate.perSecond).toBeGreaterThan(200);
    });
  });

  it('never fall so low that no order gets through', () => {
    const rate = new CallRate(null);
    rate.begin(true);
    rate.refused(null, 0);
    rate.end(true, 0);
    expect(rate.perSecond).toBe(5);
  });

  it('stay as they were set, whatever the node refuses', () => {
    const rate = new CallRate(15);
    rate.begin(true);
    rate.refused(30_000, 0);
    rate.end(true, 0);
    expect([rate.perSecond, rate.waitMs(true, 10_000), rate.waitMs(true, 30_000)]).toEqual([15, 20_000, 0]);
  });

  it('are waited for twice as long each time that nothing was carried out since the last pause', () => {
    const rate = new CallRate(null);
    let nowMs = 0;
    const refuse = () => {
      rate.begin(false);
      rate.refused(null, nowMs);
      rate.end(false, nowMs);
      const pauseMs = rate.pausedMs(nowMs);
      nowMs += pauseMs;
      return pauseMs;
    };
    expect(Array.from({ length: 7 }, refuse)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    rate.accepted(nowMs);
    expect(refuse()).toBe(1_000);
  });
});
