import { Logger } from '@nestjs/common';
import { NodeOrder } from '../../../../src/chain/tron/node/node-order';
import { NodeTimes } from '../../../../src/chain/tron/node/node-times';
import { SettableClock } from '../../../support/movable-clock';

const MINUTE_MS = 60_000;
/** One that no order waits for. */
const ROUTE = 'getaccountresource';
const [FIRST, SECOND] = ['http://first:8090', 'http://second:8090'];

describe('what calls to a node take', () => {
  const clock = new SettableClock();
  let times: NodeTimes;
  beforeEach(() => (times = new NodeTimes(clock)));
  const took = (...ms: number[]) =>
    ms.forEach((each) => {
      times.took(FIRST, ROUTE, each);
      clock.advance(100);
    });

  it('is usual up to the p95 of the last five minutes, and never below 300 ms', () => {
    expect(times.usualMs(FIRST, ROUTE)).toBe(300);
    took(...Array.from({ length: 95 }, () => 500), ...Array.from({ length: 5 }, () => 2_000));
    clock.advance(1_001);
    expect(times.usualMs(FIRST, ROUTE)).toBe(500);
    took(2_000);
    clock.advance(1_001);
    expect(times.usualMs(FIRST, ROUTE)).toBe(2_000);
    clock.advance(5 * MINUTE_MS);
    expect(times.usualMs(FIRST, ROUTE)).toBe(300);
  });

  it('is counted by host and port, whatever the path, and of the last minute alone', () => {
    times.took(`${FIRST}/wallet`, ROUTE, 500);
    times.took(SECOND, ROUTE, 1);
    expect([times.usualMs(FIRST, ROUTE), times.newest(FIRST, 8), times.lastMinute()]).toEqual([500, [500], 2]);
    clock.advance(MINUTE_MS);
    expect([times.newest(FIRST, 8), times.lastMinute()]).toEqual([[500], 0]);
  });

  it('is not learned from failures, which are no less bad', () => {
    took(500);
    times.failed(FIRST, 3_000);
    expect([times.usualMs(FIRST, ROUTE), times.newest(FIRST, 8)]).toEqual([500, [3_000, 500]]);
  });

  it('counts once of all that is read at once: the process stood still, and no node was slow', () => {
    took(10);
    for (let call = 0; call < 5; call++) times.took(FIRST, ROUTE, 2_000);
    expect(times.newest(FIRST, 8)).toEqual([2_000, 10]);
  });

  it('counts of calls under way once for all, as soon as the oldest is late: a pause says nothing of each of them', async () => {
    const ended = times.begin(FIRST, ROUTE);
    for (let call = 0; call < 5; call++) times.begin(FIRST, ROUTE);
    expect(times.newest(FIRST, 8)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 310));
    const soFar = times.newest(FIRST, 8);
    expect(soFar).toEqual([expect.any(Number)]);
    expect(soFar[0]).toBeGreaterThan(300);
    ended(true);
    expect(times.newest(FIRST, 8)).toHaveLength(2);
  });

  it('is known for each route by itself', () => {
    for (let call = 0; call < 100; call++) times.took(FIRST, ROUTE, 20);
    for (let call = 0; call < 3; call++) {
      clock.advance(100);
      times.took(FIRST, 'broadcasttransaction', 2_900);
    }
    expect([ROUTE, 'broadcasttransaction', 'getblock'].map((route) => times.usualMs(FIRST, route))).toEqual([
      300, 2_900, 300,
    ]);
    expect(times.newest(FIRST, 8, 'broadcasttransaction')).toEqual([2_900, 2_900, 2_900]);
  });

  it('counts by groups of what is read at once, however many follow each other closely', () => {
    for (let call = 0; call < 100; call++) {
      times.took(FIRST, ROUTE, 1_700);
      clock.advance(10);
    }
    expect(times.newest(FIRST, 8)).toHaveLength(8);
  });

  it('is forgotten but for the newest calls, however many there are', () => {
    for (let call = 0; call < 2_000; call++) times.took(FIRST, ROUTE, 1);
    expect(times.lastMinute()).toBeLessThan(1_000);
  });
});

describe('the order of two nodes', () => {
  beforeAll(() => Logger.overrideLogger(false));
  const clock = new SettableClock();
  let times: NodeTimes;
  let order: NodeOrder;
  let changes: string[];
  beforeEach(() => {
    times = new NodeTimes(clock);
    order = new NodeOrder('wallet', times, clock);
    changes = [];
  });
  /** One call to each, and what is thought of them then. */
  function calls(firstMs: number, secondMs: number, count = 1): void {
    for (let call = 0; call < count; call++) {
      for (const [url, ms] of [
        [FIRST, firstMs],
        [SECOND, secondMs],
      ] as const) {
        if (Number.isFinite(ms)) times.took(url, ROUTE, ms);
        else times.failed(url, 3_000);
        const before = order.isLeft(url);
        order.judge([FIRST, SECOND]);
        if (order.isLeft(url) !== before)
          changes.push(`${url === FIRST ? 'first' : 'second'} ${before ? 'back' : 'left'}`);
      }
      clock.advance(5_000);
    }
  }

  it.each([
    ['slow', 1_700],
    ['failing', Infinity],
  ])('a node that is %s is left at its third such call, and come back to once it does well again', (_, ms) => {
    calls(20, 20, 20);
    calls(ms, 20, 2);
    expect(changes).toEqual([]);
    calls(ms, 20, 10);
    expect(changes).toEqual(['first left']);
    calls(20, 20, 6);
    expect(changes).toEqual(['first left']);
    calls(20, 20, 6);
    expect(changes).toEqual(['first left', 'first back']);
  });

  it('one that does well is come back to no sooner than a minute after it was left', () => {
    calls(1_700, 20, 3);
    for (let call = 0; call < 20; call++) {
      times.took(FIRST, ROUTE, 20);
      clock.advance(100);
    }
    order.judge([FIRST, SECOND]);
    expect(order.isLeft(FIRST)).toBe(true);
    clock.advance(MINUTE_MS);
    order.judge([FIRST, SECOND]);
    expect(order.isLeft(FIRST)).toBe(false);
  });

  it.each([
    ['both are fast, one twenty times as fast as the other', 200, 10, 0],
    // The first is seen to be so before the second is, once.
    ['both are slow', 1_700, 1_400, 2],
    ['both fail', Infinity, Infinity, 2],
  ])('is as it is configured while %s', (_, firstMs, secondMs, mostChanges) => {
    calls(firstMs, secondMs, 100);
    expect(changes.length).toBeLessThanOrEqual(mostChanges);
    expect([FIRST, SECOND].filter((url) => order.isLeft(url))).toEqual([]);
  });

  it('stays while one hiccups now and then', () => {
    for (let round = 0; round < 50; round++) {
      calls(1_700, 20);
      calls(20, 20, 4);
      calls(20, 1_700);
      calls(20, 20, 4);
    }
    expect(changes).toEqual([]);
  });

  it('is by turns that of the faster one, not more than once a minute each, while they are slow by turns', () => {
    for (let turn = 0; turn < 10; turn++) {
      calls(1_700, 20, 24);
      calls(20, 1_700, 24);
    }
    const each = ['first left', 'first back', 'second left', 'second back'].map(
      (change) => changes.filter((made) => made === change).length,
    );
    for (const count of each) expect(count).toBeLessThanOrEqual(10);
    expect(order.isLeft(SECOND)).toBe(true);
  });

  it.each(['broadcasttransaction', 'getaccount', 'getblock'])(
    'a node that is slow at %s alone, which orders wait for, is left, and gets its next chance after five minutes',
    (route) => {
      for (let call = 0; call < 3; call++) {
        calls(20, 20, 6);
        times.took(FIRST, route, 2_900);
      }
      order.judge([FIRST, SECOND]);
      expect(order.isLeft(FIRST)).toBe(true);
      // None of that route goes there meanwhile.
      calls(20, 20, 50);
      expect(order.isLeft(FIRST)).toBe(true);
      calls(20, 20, 20);
      expect(order.isLeft(FIRST)).toBe(false);
    },
  );

  it('stays when a node pauses for a moment with calls under way', async () => {
    calls(20, 20, 8);
    for (let call = 0; call < 8; call++) times.begin(FIRST, 'getaccount');
    await new Promise((resolve) => setTimeout(resolve, 700));
    order.judge([FIRST, SECOND]);
    expect(order.isLeft(FIRST)).toBe(false);
  });

  it('says nothing of a single node', () => {
    for (let call = 0; call < 10; call++) times.took(FIRST, ROUTE, 2_000);
    order.judge([FIRST]);
    expect(order.isLeft(FIRST)).toBe(false);
  });
});
