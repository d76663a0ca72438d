import { ConnectionQueue, LONGEST_WAIT_MS } from '../../../src/chain/node/connection-queue';
import type { HttpReply } from '../../../src/chain/node/node-http';

const ANSWER: HttpReply = { kind: 'json', value: {} };
const TIME_OUT: HttpReply = { kind: 'unknown', reason: 'time-out' };
const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('the calls that wait for a connection to a node', () => {
  const begun: string[] = [];
  const ends = new Map<string, (reply: HttpReply) => void>();
  beforeEach(() => {
    begun.length = 0;
    ends.clear();
  });
  afterEach(() => jest.useRealTimers());

  const ask = (queue: ConnectionQueue, name: string, urgent = false) =>
    queue.run(urgent, () => {
      begun.push(name);
      return new Promise<HttpReply>((resolve) => ends.set(name, resolve));
    });
  async function end(name: string, reply = ANSWER): Promise<void> {
    ends.get(name)!(reply);
    await turns();
  }

  it('begin in the order in which they came, as many at a time as there are connections', async () => {
    const queue = new ConnectionQueue(2);
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
    const queue = new ConnectionQueue(1);
    const broken = queue.run(false, () => Promise.reject(new Error('broken')));
    const next = ask(queue, 'next');
    await expect(broken).rejects.toThrow('broken');
    await turns();
    await end('next');
    expect(await next).toEqual(ANSWER);
  });

  it('begin with broadcasts and blocks', async () => {
    const queue = new ConnectionQueue(1);
    void ask(queue, 'first');
    void ask(queue, 'receiver');
    void ask(queue, 'broadcast', true);
    void ask(queue, 'block', true);
    for (const name of ['first', 'broadcast', 'block', 'receiver']) {
      await turns();
      await end(name);
    }
    expect(begun).toEqual(['first', 'broadcast', 'block', 'receiver']);
  });

  it('are all sent elsewhere, unasked, when the node answered nobody for the length of a time-out', async () => {
    const queue = new ConnectionQueue(2);
    const asked = [ask(queue, 'a'), ask(queue, 'b')];
    const waiting = [ask(queue, 'c'), ask(queue, 'd', true)];
    await turns();
    await end('a', TIME_OUT);
    const unasked = { kind: 'undelivered', reason: 'the node answers nobody', neverAsked: true };
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
    const queue = new ConnectionQueue(2);
    void ask(queue, 'slow');
    void ask(queue, 'quick');
    const waiting = [ask(queue, 'c'), ask(queue, 'd'), ask(queue, 'e')];
    await turns();
    await end('quick');
    await end('slow', TIME_OUT);
    for (const name of ['c', 'd', 'e']) await end(name);
    expect(await Promise.all(waiting)).toEqual([ANSWER, ANSWER, ANSWER]);
  });

  it('wait for ten seconds at most, however many are answered before them, and take nobody else’s turn', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const queue = new ConnectionQueue(1);
    const endless = ask(queue, 'endless');
    const [patient, late] = [ask(queue, 'patient'), ask(queue, 'late')];
    jest.advanceTimersByTime(LONGEST_WAIT_MS - 1);
    const newcomer = ask(queue, 'newcomer');
    jest.advanceTimersByTime(1);
    const unasked = { kind: 'undelivered', reason: 'no connection to it was free for 10 s', neverAsked: true };
    expect(await Promise.all([patient, late])).toEqual([unasked, unasked]);
    expect(queue.waiting).toBe(1);
    await end('endless');
    await end('newcomer');
    expect(await Promise.all([endless, newcomer])).toEqual([ANSWER, ANSWER]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
