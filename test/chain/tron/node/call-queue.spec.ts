import { type CallPriority, CALL_PRIORITIES, longestWaitMs } from '../../../../src/chain/tron/node/call-priority';
import { CallQueue } from '../../../../src/chain/tron/node/call-queue';
import { CallRate } from '../../../../src/chain/tron/node/call-rate';
import type { HttpReply } from '../../../../src/chain/tron/node/node-http';

const ANSWER: HttpReply = { kind: 'json', value: {} };
const TIME_OUT: HttpReply = { kind: 'unknown', reason: 'time-out' };
const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('the calls that wait for their turn at a node', () => {
  const begun: string[] = [];
  const ends = new Map<string, (reply: HttpReply) => void>();
  beforeEach(() => {
    begun.length = 0;
    ends.clear();
  });
  afterEach(() => jest.useRealTimers());

  const ask = (queue: CallQueue, name: string, priority: CallPriority = 'wallets') =>
    queue.run(priority, () => {
      begun.push(name);
      return new Promise<HttpReply>((resolve) => ends.set(name, resolve));
    });
  async function end(name: string, reply = ANSWER): Promise<void> {
    ends.get(name)!(reply);
    await turns();
  }

  it('begin in the order in which they came, as many at a time as there are connections', async () => {
    const queue = new CallQueue(2);
    const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(queue, name));
    await turns();
    expect([begun, queue.waiting]).toEqual([['a', 'b'], 3]);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd', 'e']) await end(name);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await Promise.all(calls)).toEqual(calls.map(() => ANSWER));
  });

  it('go on when a call throws', async () => {
    const queue = new CallQueue(1);
    const broken = queue.run('wallets', () => Promise.reject(new Error('broken')));
    const next = ask(queue, 'next');
    await expect(broken).rejects.toThrow('broken');
    await turns();
    await end('next');
    expect(await next).toEqual(ANSWER);
  });

  it('begin with orders, then blocks, wallets, resends, audit and quotes', async () => {
    const queue = new CallQueue(1);
    void ask(queue, 'first');
    for (const priority of CALL_PRIORITIES.toReversed()) void ask(queue, priority, priority);
    for (const name of ['first', ...CALL_PRIORITIES]) {
      await turns();
      await end(name);
    }
    expect(begun).toEqual(['first', 'orders', 'blocks', 'wallets', 'resends', 'audit', 'quotes']);
  });

  it('leave every fifth turn to the priority that had none for longest, however many orders come', async () => {
    const queue = new CallQueue(1);
    const flood = Array.from({ length: 40 }, () => ask(queue, 'orders', 'orders'));
    const others = (['wallets', 'resends', 'audit', 'quotes'] as const).map((priority) =>
      ask(queue, priority, priority),
    );
    for (let turn = 0; turn < 44; turn++) {
      await turns();
      await end(begun.at(-1)!);
    }
    await Promise.all([...flood, ...others]);
    const late = (name: string) => begun.indexOf(name);
    expect(['wallets', 'resends', 'audit', 'quotes'].map(late)).toEqual([5, 10, 15, 20]);
  });

  it('are all sent elsewhere, unasked, when the node answered no caller for the length of a time-out', async () => {
    const queue = new CallQueue(2);
    const asked = [ask(queue, 'a'), ask(queue, 'b')];
    const waiting = [ask(queue, 'c'), ask(queue, 'd', 'blocks')];
    await turns();
    await end('a', TIME_OUT);
    const unasked = { kind: 'undelivered', reason: 'the node answers no caller', neverAsked: true };
    expect(await Promise.all(waiting)).toEqual([unasked, unasked]);
    expect(begun).toEqual(['a', 'b']);
    // It may be back: who comes later is let through to find out.
    const later = ask(queue, 'e');
    await turns();
    await end('b', TIME_OUT);
    await end('e');
    expect(await later).toEqual(ANSWER);
    expect(await Promise.all(asked)).toEqual([TIME_OUT, TIME_OUT]);
  });

  it('wait on behind a single call that times out while others are answered', async () => {
    const queue = new CallQueue(2);
    void ask(queue, 'slow');
    void ask(queue, 'quick');
    const waiting = [ask(queue, 'c'), ask(queue, 'd'), ask(queue, 'e')];
    await turns();
    await end('quick');
    await end('slow', TIME_OUT);
    for (const name of ['c', 'd', 'e']) await end(name);
    expect(await Promise.all(waiting)).toEqual([ANSWER, ANSWER, ANSWER]);
  });

  it('wait for ten seconds at most, however many are answered before them, and take no other call’s turn', async () => {
    // Ticks of what a test before has left in this process would count as timers.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const queue = new CallQueue(1);
    const endless = ask(queue, 'endless');
    const [patient, late] = [ask(queue, 'patient', 'orders'), ask(queue, 'late', 'orders')];
    jest.advanceTimersByTime(longestWaitMs('orders') - 1);
    const newcomer = ask(queue, 'newcomer', 'orders');
    jest.advanceTimersByTime(1);
    const unasked = { kind: 'undelivered', reason: 'its turn did not come within 10 s', neverAsked: true };
    expect(await Promise.all([patient, late])).toEqual([unasked, unasked]);
    expect(queue.waiting).toBe(1);
    await end('endless');
    await end('newcomer');
    expect(await Promise.all([endless, newcomer])).toEqual([ANSWER, ANSWER]);
    expect(jest.getTimerCount()).toBe(0);
  });

  describe('with so many a second', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));

    /** Answered at once, as its turn comes. */
    const instant = (queue: CallQueue, name: string, priority: CallPriority, reply: HttpReply = ANSWER) =>
      queue.run(priority, async () => {
        begun.push(name);
        return reply;
      });
    async function pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += 10) {
        jest.advanceTimersByTime(10);
        await turns();
      }
    }

    it('wait for the next second instead of failing, and two of each second are kept for blocks', async () => {
      const queue = new CallQueue(40, new CallRate(5));
      const all = Array.from({ length: 7 }, (_, at) => instant(queue, `order ${at}`, 'orders'));
      await turns();
      expect(begun).toEqual(['order 0', 'order 1', 'order 2']);
      await Promise.all([instant(queue, 'block', 'blocks'), instant(queue, 'block', 'blocks')]);
      expect(begun.filter((name) => name === 'block')).toHaveLength(2);
      await pass(1_100);
      expect(begun).toHaveLength(8);
      await pass(1_100);
      expect(await Promise.all(all)).toEqual(all.map(() => ANSWER));
    });

    it('keep blocks their two, and others their fifth turn, while more orders come than may begin', async () => {
      const queue = new CallQueue(40, new CallRate(5));
      for (let at = 0; at < 30; at++) void instant(queue, 'order', 'orders');
      for (let at = 0; at < 2; at++) void instant(queue, 'resend', 'resends');
      await pass(1_100);
      void instant(queue, 'block', 'blocks');
      void instant(queue, 'block', 'blocks');
      await turns();
      expect(begun.filter((name) => name === 'block')).toHaveLength(2);
      await pass(3_400);
      expect(begun.filter((name) => name === 'resend')).toHaveLength(2);
    });

    it('leave unused what blocks do not need of their two, and all of the others to the first in line', async () => {
      const queue = new CallQueue(40, new CallRate(5));
      for (const priority of ['quotes', 'audit', 'orders'] as const)
        for (let at = 0; at < 3; at++) void instant(queue, priority, priority);
      await pass(2_300);
      expect(begun).toEqual(['quotes', 'quotes', 'quotes', 'orders', 'orders', 'orders', 'audit', 'audit', 'audit']);
    });

    const limited = (waitMs: number | null): HttpReply => ({
      kind: 'limited',
      reason: 'HTTP 429',
      waitMs,
      untouched: false,
    });

    it('wait as long as the node says when it has refused one', async () => {
      const queue = new CallQueue(40);
      await instant(queue, 'refused', 'audit', limited(4_000));
      const next = instant(queue, 'next', 'orders');
      await pass(3_900);
      expect(begun).toEqual(['refused']);
      await pass(200);
      expect(begun).toEqual(['refused', 'next']);
      expect(await next).toEqual(ANSWER);
    });
  });
});
