import { ChainWork } from '../../../src/chain/observer/chain-work';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const isOfBlocks = (route: string) => /\/getblock|getnowblock/.test(route);

describe('the follower asks little', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  /** The newest block that the service has been shown, and behind each one the calls for blocks up to that which showed the next. */
  let newest = 0;
  let costs: string[][] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 1_000, nodeUrl: openProxy });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  function openProxy(url: string): Promise<string> {
    proxy = new NodeProxy(url);
    proxy.after = (call, answer) => {
      count(call, answer);
      return answer;
    };
    return proxy.open();
  }

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

  /** The calls for so many blocks. On a busy machine some come late, and are asked for again. */
  async function during(blocks: number): Promise<string[][]> {
    costs = [];
    await until('more blocks', () => Promise.resolve(costs.length > blocks));
    // The next one was not shown yet.
    return costs.slice(0, -1);
  }

  /** Two calls for each block leave none with one; a poll of four a second makes more than three of each. */
  function expectOneCallEach(blocks: string[][], call: 'full' | 'header'): void {
    const ofChain = blocks.map((calls) => calls.filter((each) => each !== 'solid'));
    // A block that a node was slow to show is asked for by its header first.
    expect(ofChain.filter((calls) => !calls.includes(call)).length).toBeLessThanOrEqual(1);
    expect(ofChain.filter((calls) => calls.length === 1).length).toBeGreaterThanOrEqual(blocks.length / 3);
    expect(ofChain.flat().length).toBeLessThanOrEqual(blocks.length * 3);
  }

  it('with nothing open: one header a block, and no solid block of any node', async () => {
    await until('nothing open', () => Promise.resolve(!world.app.app.get(ChainWork).isBusy));
    await during(6);
    const blocks = await during(15);
    expect(blocks.flat()).not.toContain('full');
    expectOneCallEach(blocks, 'header');
    // A wallet that is read shows its block twice; no part of the service polls.
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

describe('of a pair that answers in time, the second node is asked little', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 1_000,
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  const newest = async () => {
    const { block_header: header } = await world.node('wallet/getnowblock');
    return (header as { raw_data: { number: number } }).raw_data.number;
  };
  /** Calls to the second node within so many blocks. A block that is late, as on a busy machine, is looked for everywhere. */
  async function callsDuring(blocks: number): Promise<number> {
    const [from, before] = [await newest(), nodes[1]!.calls.length];
    await until('more blocks', async () => (await newest()) >= from + blocks);
    return nodes[1]!.calls.length - before;
  }

  it('with nothing open: for its head, every ten blocks', async () => {
    await until('nothing open', () => Promise.resolve(!world.app.app.get(ChainWork).isBusy));
    await callsDuring(10);
    await until('few calls', async () => (await callsDuring(20)) <= 2 + 1);
  });

  it('with something open: for its head, every five blocks', async () => {
    const caller = await world.caller();
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1_000 });
    await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const ofHead = ({ route, body }: NodeCall) => route === 'wallet/getblock' && !('id_or_num' in body);
    await until(
      'three or four of the head',
      async () => {
        nodes[1]!.calls.length = 0;
        await callsDuring(16);
        const { length: count } = nodes[1]!.calls.filter(ofHead);
        return count >= 3 && count <= 4;
      },
      120_000,
    );
  });
});
