import { Batcher } from '../../src/database/batcher';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds that each item takes; batches of one, so that each is a batch. */
function carriedOut(limits: { underWay: number; size: number }) {
  const begun: string[] = [];
  const ended: string[] = [];
  let running = 0;
  let most = 0;
  const batcher = new Batcher<{ name: string; ms: number }>(limits, async (items) => {
    most = Math.max(most, (running += 1));
    begun.push(items.map(({ name }) => name).join(' '));
    await sleep(Math.max(...items.map(({ ms }) => ms)));
    ended.push(items.map(({ name }) => name).join(' '));
    running -= 1;
  });
  const until = async (count: number) => {
    while (ended.length < count) await jest.advanceTimersByTimeAsync(1);
  };
  return { batcher, begun, ended, until, most: () => most };
}

describe('a batcher', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('hands over together what comes in one turn and while a batch is under way, never more than its size', async () => {
    const { batcher, begun, until } = carriedOut({ underWay: 1, size: 3 });
    batcher.add({ name: 'a', ms: 50 });
    batcher.add({ name: 'b', ms: 50 });
    await jest.advanceTimersByTimeAsync(10);
    for (const name of ['c', 'd', 'e', 'f']) batcher.add({ name, ms: 10 });
    await until(3);
    expect(begun).toEqual(['a b', 'c d e', 'f']);
  });

  it('lets others go beside a batch that lasts', async () => {
    const { batcher, ended, until } = carriedOut({ underWay: 1, size: 1 });
    batcher.add({ name: 'lasting', ms: 1_500 });
    batcher.add({ name: 'quick', ms: 1 });
    await until(2);
    expect(ended).toEqual(['quick', 'lasting']);
  });

  it('has a limit for those that last, too, and lets go of one more as soon as another has ended', async () => {
    const { batcher, begun, ended, until, most } = carriedOut({ underWay: 1, size: 1 });
    batcher.add({ name: 'one', ms: 1_000 });
    batcher.add({ name: 'two', ms: 1_000 });
    batcher.add({ name: 'three', ms: 4_000 });
    batcher.add({ name: 'quick', ms: 1 });
    await until(4);
    expect(begun).toEqual(['one', 'two', 'three', 'quick']);
    expect(ended.at(-1)).toBe('three');
    expect(most()).toBe(3);
  });

  it('loses and doubles nothing, whatever lasts how long', async () => {
    const { batcher, ended, until } = carriedOut({ underWay: 2, size: 1 });
    const names = Array.from({ length: 60 }, (_, at) => String(at));
    for (const name of names) batcher.add({ name, ms: Math.random() < 0.2 ? 190 + Math.random() * 20 : 5 });
    await until(names.length);
    expect(ended.toSorted()).toEqual(names.toSorted());
  });
});
