import { expectChainTruth } from '../../support/chain-truth';
import { OrderWorld } from '../../support/order-world';

describe('an order whose block is final before it is first seen, as after a pause', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    // Longer than a test may last: what waits for it is not answered here.
    world = await OrderWorld.open({ block: 'manual', env: { ANSWER_TIMEOUT: '5m' } });
    await world.control('block', { count: 6 });
  });
  afterAll(() => world.close());

  it('is answered at once', async () => {
    const caller = await world.caller();
    const answer = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    await world.control('block', { count: 10 });

    expect((await answer).status).toBe(200);
    await expectChainTruth(world);
  });

  it('is answered at once when its receiver was activated for it, both in blocks that are final when first seen', async () => {
    const caller = await world.caller();
    const receiver = await world.receiver(false);
    const answer = world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: true });
    for (const _transaction of ['activation', 'delegation']) {
      await world.untilPending();
      await world.control('block', { count: 10 });
    }

    expect((await answer).status).toBe(200);
    await expectChainTruth(world);
  });
});
