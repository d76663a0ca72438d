import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { OrderWorld } from '../../support/order-world';

describe('DELEGATION_ANSWER=accepted', () => {
  let world: OrderWorld;
  beforeAll(async () => (world = await OrderWorld.open({ block: 1000, env: { DELEGATION_ANSWER: 'accepted' } })));
  afterAll(() => world.close());

  it('answers before any block, and charges once the delegation is solid', async () => {
    const caller = await world.caller({ balance: 60 });
    const receiver = await world.receiver();
    const orders = Array.from({ length: 20 }, () => world.delegate(caller, { receiver_address: receiver, amount: 1 }));
    const answers = await Promise.all(orders);
    for (const { status, headers } of answers) {
      expect([status, headers.get('x-delegation-state')]).toEqual([200, 'accepted']);
    }
    expect((await world.get(caller, '/api/user/balance')).body).toMatchObject({ data: { balance: 0 } });
    await untilSettled(world.app.sql);
    const settled = await expectChainTruth(world);
    expect(settled.map(({ hold }) => hold)).toEqual(Array.from({ length: 20 }, () => 'taken'));
  });

  it('still answers with a refusal', async () => {
    const caller = await world.caller();
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'SERVER_BUSY', count: 1 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
  });
});
