import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { OrderWorld } from '../support/order-world';

describe.each(['A', 'B'] as const)('what an order costs in variant %s', (variant) => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250, env: { BILLING_VARIANT: variant, DEFAULT_UNIT_PRICE: '2.4' } });
  });
  afterAll(() => world.close());
  const inVariantB = (cost: number) => (variant === 'B' ? { cost } : {});

  it.each([
    { what: 'the fee', price: undefined, amount: 1.5, activate: false, a: 4.5, b: 3.6, quota: 0 },
    { what: "the account's own price", price: 2_000_001n, amount: 3, activate: false, a: 9, b: 6.000003, quota: 0 },
    { what: 'the fee and the activation', price: undefined, amount: 1, activate: true, a: 4.5, b: 3.9, quota: 0 },
    { what: 'nothing but quota', price: undefined, amount: 2, activate: false, a: 0, b: 0, quota: 2 },
    { what: 'the activation beside quota', price: undefined, amount: 1, activate: true, a: 1.5, b: 1.5, quota: 1 },
  ])('$what', async ({ price, amount, activate, a, b, quota }) => {
    const cost = variant === 'A' ? a : b;
    const caller = await world.caller({ balance: 20, unitPriceSun: price, subscription: quota });
    const receiver = await world.receiver(!activate);
    const order = { receiver_address: receiver, amount, activate_address: activate };
    const answer = await world.delegate(caller, order);
    const txid = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(answer.body).toEqual({ success: true, message: '委托成功', txid, ...inVariantB(cost) });
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    const balance = await world.get(caller, '/api/user/balance');
    expect(balance.body).toMatchObject({ data: { balance: Number((20 - cost).toFixed(6)) } });
  });

  it('nothing, when it fails after it was written', async () => {
    const caller = await world.caller({ balance: 20 });
    const receiver = await world.receiver();
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'BANDWITH_ERROR', count: 1 });
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect(answer.body).toEqual({ success: false, error: '服务器内部错误,请稍后再试', ...inVariantB(0) });
    expect((await world.get(caller, '/api/user/balance')).body).toMatchObject({ data: { balance: 20 } });
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('nothing, when no wallet can lend: 501 for energy, or for the balance if that is short too', async () => {
    await world.query(`update pool_wallets set state = 'paused' where role = 'delegate' returning id`);
    const [rich, poor] = [await world.caller(), await world.caller({ balance: 1 })];
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const refused = await world.delegate(rich, body);
    expect(refused.body).toEqual({ success: false, error: '能量不足,请稍后再试', ...inVariantB(0) });
    expect(refused.headers.get('x-error-code')).toBe('PAUSED');
    expect((await world.delegate(poor, body)).body).toMatchObject({ error: '余额不足,请先充值' });
  });
});
