import { expectLedgerConsistent } from '../support/ledger-consistency';
import { OrderWorld } from '../support/order-world';

describe("an order's life", () => {
  let world: OrderWorld;
  beforeAll(async () => (world = await OrderWorld.open({ env: { RECLAIM_DELAY: '2s' } })));
  afterAll(() => world.close());
  afterEach(() => expectLedgerConsistent(world.app.sql));

  it('lends at least the energy that was paid for, charges it once, and takes it back', async () => {
    const caller = await world.caller({ balance: 10 });
    const receiver = await world.receiver();
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect(answer.body).toEqual({ success: true, message: '委托成功', txid: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-delegation-state')).toBe('included');
    expect(await world.energyOf(receiver)).toBeGreaterThanOrEqual(65_000);

    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated', 'reclaiming', 'reclaimed');
    const balance = await world.get(caller, '/api/user/balance');
    expect(balance.body).toMatchObject({ success: true, data: { balance: 7 } });

    const reclaimed = await world.untilState(id, 'reclaimed');
    expect(reclaimed).toMatchObject({ answer: 'success', cost_sun: 3_000_000n, paid_by: 'balance', shortage_sun: 0n });
    expect(Date.parse(reclaimed.reclaimed_at!) - Date.parse(reclaimed.delegated_at!)).toBeGreaterThanOrEqual(2_000);
    expect(await world.energyOf(receiver)).toBe(0);
    expect(await world.audit()).toMatchObject({ ok: true });
  });

  it('activates a receiver in a block before its delegation, and charges 1.5 for it', async () => {
    const caller = await world.caller({ balance: 10 });
    const receiver = await world.receiver(false);
    const refused = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect(refused).toMatchObject({
      status: 400,
      body: { success: false, details: { receiver_address: ['The receiver address is not activated.'] } },
    });
    expect(refused.headers.get('x-error-code')).toBe('RECEIVER_NOT_ACTIVATED');
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: true });
    expect(answer.body).toMatchObject({ success: true });
    expect(await world.energyOf(receiver)).toBeGreaterThanOrEqual(65_000);
    const view = await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated', 'reclaiming', 'reclaimed');
    expect(view.cost_sun).toBe(4_500_000n);
    expect(view.activation_txid).not.toBeNull();
  });

  it('lets two orders for one inactive receiver share one activation, paid once', async () => {
    const [one, two] = await Promise.all([world.caller({ balance: 10 }), world.caller({ balance: 10 })]);
    const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
    const answers = await Promise.all([world.delegate(one, body), world.delegate(two, body)]);
    expect(answers.map((answer) => answer.body['success'])).toEqual([true, true]);
    const views = await Promise.all(
      answers.map((answer) => world.untilState(answer.headers.get('x-delegation-id')!, 'reclaimed')),
    );
    expect(new Set(views.map((view) => view.cost_sun))).toEqual(new Set([3_000_000n, 4_500_000n]));
  });

  it('pays with the quota before the balance', async () => {
    const caller = await world.caller({ balance: 10, subscription: 1 });
    const receiver = await world.receiver();
    const first = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const second = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const views = await Promise.all(
      [first, second].map((answer) => world.untilState(answer.headers.get('x-delegation-id')!, 'reclaimed')),
    );
    expect(views.map((view) => [view.paid_by, view.cost_sun])).toEqual([
      ['subscription', 0n],
      ['balance', 3_000_000n],
    ]);
    expect(await world.energyOf(receiver)).toBe(0);
  });

  it('refuses before anything is written: balance before energy', async () => {
    const poor = await world.caller({ balance: 2 });
    const rich = await world.caller({ balance: 1_000_000 });
    const receiver = await world.receiver();
    const tooMuch = { receiver_address: receiver, amount: 100_000 };
    expect(await world.delegate(poor, tooMuch)).toMatchObject({ status: 501, body: { error: '余额不足,请先充值' } });
    const noEnergy = await world.delegate(rich, tooMuch);
    expect(noEnergy).toMatchObject({ status: 501, body: { error: '能量不足,请稍后再试' } });
    expect(noEnergy.headers.get('retry-after')).toBe('600');
    expect(noEnergy.headers.get('x-delegation-id')).toBeNull();
    expect(await world.delegate(rich, { receiver_address: receiver, amount: '1e400' })).toMatchObject({
      status: 501,
      body: { error: '余额不足,请先充值' },
    });
  });

  it("refuses a contract and the service's own wallets as receivers", async () => {
    const caller = await world.caller({ balance: 10 });
    const contract = await world.receiver();
    await world.control('account', { address: contract, type: 'Contract', balance_sun: 0, staked_energy_sun: 0 });
    expect((await world.delegate(caller, { receiver_address: contract, amount: 1 })).body['details']).toEqual({
      receiver_address: ['The receiver address must not be a contract.'],
    });
    const own = world.chain.accounts.find((account) => account.role === 'pool')!.address;
    expect((await world.delegate(caller, { receiver_address: own, amount: 1 })).body['details']).toEqual({
      receiver_address: ['The receiver address is not allowed.'],
    });
  });
});
