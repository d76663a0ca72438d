import { ChainWork } from '../../../src/chain/follower/chain-work';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const isOfBlocks = (route: string) => /\/getblock|getnowblock/.test(route);

describe('the follower asks little', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 1_000, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  async function head(): Promise<number> {
    const { block_header: header } = (await world.node('wallet/getblock')) as {
      block_header: { raw_data: { number: number } };
    };
    return header.raw_data.number;
  }

  /** The calls for blocks while so many blocks come. */
  async function during(blocks: number): Promise<{ blocks: number; calls: { route: string; inFull: boolean }[] }> {
    const from = await head();
    proxy.calls.length = 0;
    await until('more blocks', async () => (await head()) >= from + blocks);
    const calls = proxy.calls.filter(({ route }) => isOfBlocks(route));
    return {
      blocks: (await head()) - from,
      calls: calls.map(({ route, body }) => ({ route, inFull: body['detail'] === true || route.includes('by') })),
    };
  }

  it('with nothing open: one header a block, and no solid block of any node', async () => {
    await until('nothing open', () => Promise.resolve(!world.app.app.get(ChainWork).isBusy));
    await during(6);
    const { blocks, calls } = await during(15);
    expect(calls.filter(({ inFull }) => inFull)).toEqual([]);
    expect(calls.length).toBeLessThanOrEqual(blocks * 1.4);
    // A wallet that is read shows its block twice; nobody polls.
    expect(calls.filter(({ route }) => route.startsWith('walletsolidity')).length).toBeLessThanOrEqual(4);
  });

  it('with something open: one full block a block', async () => {
    const caller = await world.caller();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1_000 });
    await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const { blocks, calls } = await during(8);
    const ofChain = calls.filter(({ route }) => route.startsWith('wallet/'));
    expect(ofChain.filter(({ inFull }) => inFull).length).toBeGreaterThanOrEqual(blocks - 1);
    expect(ofChain.length).toBeLessThanOrEqual(blocks * 1.6);
  });
});
