import { HedgedCalls, type Hedge } from '../../../../src/chain/tron/node/hedged-calls';
import type { NodePool, NodeState } from '../../../../src/chain/tron/node/node-pool';
import { NodeTimes } from '../../../../src/chain/tron/node/node-times';
import { SettableClock } from '../../../support/movable-clock';

const SLOW_MS = 600;
const MINUTE_MS = 60_000;
const ROUTE = 'getblock';

describe('a call whose node is late', () => {
  const clock = new SettableClock();
  const nodes = ['http://first:1', 'http://second:1', 'http://third:1'].map((url) => ({ url }) as NodeState);
  const [first, second, third] = nodes as [NodeState, NodeState, NodeState];
  let times: NodeTimes;
  let hedged: HedgedCalls;
  /** Those that take no more calls than they have to. */
  let spared: NodeState[];
  let left: NodeState[];
  let begun: NodeState[];
  let slow: NodeState[];
  let slowMs: number;
  beforeEach(() => {
    clock.advance(MINUTE_MS);
    times = new NodeTimes(clock);
    hedged = new HedgedCalls(times, clock);
    [spared, left, begun, slow] = [[], [], [], [first]];
    slowMs = SLOW_MS;
  });
  const pool = {
    mayHaveMore: (node: NodeState) => !spared.includes(node),
    isLeft: (node: NodeState) => left.includes(node),
  } as NodePool;

  async function call(node: NodeState): Promise<string> {
    begun.push(node);
    if (slow.includes(node)) await new Promise((resolve) => setTimeout(resolve, slowMs));
    return node.url;
  }
  async function firstAnswer(hedge: Hedge, of = [first, second]): Promise<NodeState> {
    for await (const { node } of hedged.inTurn(pool, [...of], ROUTE, hedge, call)) return node;
    throw new Error('no answer');
  }

  it('is made at the next one too, and the first answer is the first that comes', async () => {
    expect(await firstAnswer('seldom')).toBe(second);
    expect(begun).toEqual([first, second]);
  });

  it('is made nowhere else where no caller waits', async () => {
    expect(await firstAnswer('never')).toBe(first);
    expect(begun).toEqual([first]);
  });

  it('is made nowhere else before its node’s own usual time', async () => {
    for (let other = 0; other < 20; other++) times.took(first.url, ROUTE, SLOW_MS + 200);
    expect(await firstAnswer('seldom')).toBe(first);
    expect(begun).toEqual([first]);
  });

  it('is made at the next one when the first takes three times as long as that one usually takes, slow as it always is', async () => {
    for (let other = 0; other < 20; other++) {
      times.took(first.url, ROUTE, 2_900);
      times.took(second.url, ROUTE, 20);
    }
    slowMs = 2_000;
    const beganMs = performance.now();
    expect(await firstAnswer('always')).toBe(second);
    expect(performance.now() - beganMs).toBeLessThan(1_500);
  });

  it('is made at no more nodes for a twentieth, when those that come first are left as well', async () => {
    left = [first, second];
    for (let other = 0; other < 20; other++) times.took(first.url, ROUTE, SLOW_MS + 200);
    expect(await firstAnswer('seldom')).toBe(first);
    left = [first];
    const answers: NodeState[] = [];
    for (let at = 0; at < 2; at++) answers.push(await firstAnswer('seldom'));
    expect(answers).toEqual([second, first]);
  });

  it('is made at a third one at once when the second fails', async () => {
    const answers: NodeState[] = [];
    for await (const { node } of hedged.inTurn(pool, [first, second, third], ROUTE, 'seldom', call)) {
      answers.push(node);
      if (node === third) break;
    }
    expect(answers).toEqual([second, third]);
  });

  it('is made at the next one before that, once that comes before this one in any case', async () => {
    for (let other = 0; other < 20; other++) times.took(first.url, ROUTE, SLOW_MS + 200);
    left = [first];
    expect(await firstAnswer('seldom')).toBe(second);
  });

  it('goes past a node that refuses calls for their number, or has failed', async () => {
    spared = [second];
    expect(await firstAnswer('seldom', nodes)).toBe(third);
    begun = [];
    expect(await firstAnswer('always')).toBe(first);
    expect(begun).toEqual([first]);
  });

  it('is made twice for a twentieth of a minute’s calls at most, but for broadcasts', async () => {
    for (let other = 0; other < 65; other++) times.took(third.url, ROUTE, 1);
    const answers: NodeState[] = [];
    for (let at = 0; at < 5; at++) answers.push(await firstAnswer('seldom'));
    expect(answers).toEqual([second, second, second, first, first]);
    expect(await firstAnswer('always')).toBe(second);
    clock.advance(MINUTE_MS);
    expect(await firstAnswer('seldom')).toBe(second);
  });

  it('keeps no caller waiting that wants more answers, and has its turn when it comes', async () => {
    const answers: [NodeState, readonly NodeState[]][] = [];
    for await (const { node, underWay } of hedged.inTurn(pool, [first, second, third], ROUTE, 'always', call))
      answers.push([node, underWay]);
    expect(answers).toEqual([
      [second, [first]],
      [third, [first]],
      [first, []],
    ]);
  });

  it('that fails after another has answered is lost, and nothing else with it', async () => {
    const fails = async (node: NodeState) => {
      const url = await call(node);
      if (node === first) throw new Error('late');
      return url;
    };
    for await (const { node } of hedged.inTurn(pool, [first, second], ROUTE, 'always', fails)) {
      expect(node).toBe(second);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  });
});
