import { ChainWork } from '../../../src/chain/follower/chain-work';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const isOfBlocks = (route: string) => /\/getblock|getnowblock/.test(route);

describe('the follower asks little', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  /** The newest block that the service has been shown, and the calls for blocks that each one took. */
  let newest = 0;
  let costs: string[][] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 1_000, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
    proxy.after = (call, answer) => {
      count(call, answer);
      return answer;
    };
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  function count({ route, body }: NodeCall, answer: string): void {
    if (!isOfBlocks(route)) return;
    const isInFull = body['detail'] === true || route.includes('by');
    const isOfChain = route.startsWith('wallet/');
    costs.at(-1)?.push(isOfChain ? (isInFull ? 'full' : 'header') : 'solid');
    const { block_header: header } = JSON.parse(answer) as { block_header?: { raw_data: { number: number } } };
    if (!isOfChain || !header || header.raw_data.number <= newest) return;
    newest = header.raw_data.number;
    costs.push([]);
  }

  /** Of so many blocks, the calls that each took. On a busy machine some come late, and are asked for again. */
  async function during(blocks: number): Promise<string[][]> {
    const from = newest;
    costs = [];
    await until('more blocks', () => Promise.resolve(newest > from + blocks));
    // The last one's calls go on.
    return costs.slice(0, -1);
  }

  /** With two calls for each block none would have one, and a poll makes far more than four. */
  function expectOneCallEach(blocks: string[][], call: 'full' | 'header'): void {
    const ofChain = blocks.map((calls) => calls.filter((each) => each !== 'solid'));
    for (const calls of ofChain) expect(calls).toContain(call);
    expect(ofChain.filter((calls) => calls.length === 1).length).toBeGreaterThanOrEqual(blocks.length / 3);
    expect(ofChain.flat().length).toBeLessThanOrEqual(blocks.length * 4);
  }

  it('with nothing open: one header a block, and no solid block of any node', async () => {
    await until('nothing open', () => Promise.resolve(!world.app.app.get(ChainWork).isBusy));
    await during(6);
    const blocks = await during(15);
    expect(blocks.flat()).not.toContain('full');
    expectOneCallEach(blocks, 'header');
    // A wallet that is read shows its block twice; nobody polls.
    expect(blocks.flat().filter((call) => call === 'solid').length).toBeLessThanOrEqual(4);
  });

  it('with something open: one full block a block', async () => {
    const caller = await world.caller();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1_000 });
    await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const blocks = await during(8);
    expectOneCallEach(blocks, 'full');
  });
});
