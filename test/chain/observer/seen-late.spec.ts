import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, OrderWorld } from '../../support/order-world';

describe('an order that waits for its block is answered at once', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      // Longer than a test may last: what waits for it is not answered here.
      env: { ANSWER_TIMEOUT: '5m' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block', { count: 6 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  async function place(): Promise<{ answer: Promise<Answer> }> {
    const answer = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    return { answer };
  }

  it('when the block is final before it is first seen, as after a pause', async () => {
    const { answer } = await place();
    await world.control('block', { count: 10 });
    expect((await answer).status).toBe(200);
  });

  it('when another instance has seen the block, and the node of its own is away', async () => {
    await world.startInstance({ TRON_FULL_NODE_URLS: world.chain.url });
    const { answer } = await place();
    await proxy.refuse();
    await world.control('block', { count: 10 });
    expect((await answer).status).toBe(200);
    await proxy.listen();
  });
});
