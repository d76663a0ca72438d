import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';

const TRX = 1_000_000n;
const VALIDATION = '参数验证失败';
const NO_MONEY = '余额不足,请先充值';
const outcome = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';
const key = (name: string) => ({ 'idempotency-key': name });

describe('the limits of an order and of its token', () => {
  let world: OrderWorld;
  let instances: TestApp[];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 100, env: { DELEGATION_ANSWER: 'accepted', RATE_LIMIT_PER_MINUTE: '500' } });
    instances = [world.app, await world.startInstance()];
  });
  afterEach(async () => {
    await untilSettled(world.app.sql);
    expect((await world.audit()).findings).toEqual([]);
  });
  afterAll(async () => {
    await expectChainTruth(world);
    await world.close();
  });

  const order = async (caller: Caller, fields: object = {}, headers = {}, instance = world.app) =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1, ...fields }, headers, instance);
  const tokenOf = async (caller: Caller) => (await world.get(caller, '/api/user/token')).body['data'] as object;
  const ordersOf = ({ id }: Caller) => world.query('select id from delegations where user_id = $1', [id]);

  describe('max_cost', () => {
    it.each([
      ['2.999999', {}, 1000, 'The cost of 3 is more than the max cost.'],
      ['0', {}, 0, 'The cost of 3 is more than the max cost.'],
      ['2.9999994', { amount: '1' }, 1000, 'The cost of 3 is more than the max cost.'],
      ['4.49', { activate_address: true }, 1000, 'The cost of 4.5 is more than the max cost.'],
      ['3', { amount: '1.0000001' }, 1000, 'The cost of 3.000001 is more than the max cost.'],
      ['5', { amount: 1e14 }, 0, 'The cost of more than 9223372036854.775807 is more than the max cost.'],
    ])(
      'of %s refuses %j on a balance of %d, and nothing is held',
      async (maxCost, fields: object, balance, sentence) => {
        const caller = await world.caller({ balance });
        const receiver = await world.receiver(!('activate_address' in fields));
        const answer = await order(caller, { receiver_address: receiver, max_cost: Number(maxCost), ...fields });
        expect(answer.body).toEqual({ success: false, error: VALIDATION, details: { max_cost: [sentence] } });
        expect([answer.status, outcome(answer)]).toEqual([400, 'COST_ABOVE_MAX']);
        expect(await ordersOf(caller)).toEqual([]);
      },
    );

    it('above what quota leaves to pay is not what an order fails at whose balance cannot pay even that', async () => {
      const caller = await world.caller({ balance: 1, subscription: 5 });
      const inactive = { receiver_address: await world.receiver(false), activate_address: true };
      const answer = await order(caller, { ...inactive, max_cost: 2 });
      expect([answer.status, outcome(answer), answer.body['error']]).toEqual([501, 'INSUFFICIENT_BALANCE', NO_MONEY]);
      const capped = await order(caller, { ...inactive, max_cost: 1.4 });
      expect(capped.body['details']).toEqual({ max_cost: ['The cost of 1.5 is more than the max cost.'] });
      expect(await ordersOf(caller)).toEqual([]);
    });

    it('is met by a cost that is exactly as much, and by any cost when it is absent or beyond numbers', async () => {
      const caller = await world.caller();
      for (const max of [3, '3.000000', null, '', '1e400', 1e300]) {
        expect(outcome(await order(caller, { max_cost: max }))).toBe('success');
      }
      const inactive = { receiver_address: await world.receiver(false), activate_address: true, max_cost: 4.5 };
      expect(outcome(await order(caller, inactive))).toBe('success');
    });

    it('of 0 lets quota pay, and refuses once quota is gone, even when it goes while the order is written', async () => {
      const caller = await world.caller({ balance: 100, subscription: 5 });
      // All of them find quota for 5 beforehand.
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => order(caller, { max_cost: 0 }, {}, instances[at % 2])),
      );
      expect(answers.map(outcome).sort()).toEqual([
        ...Array<string>(7).fill('COST_ABOVE_MAX'),
        ...Array<string>(5).fill('success'),
      ]);
      expect((await world.get(caller, '/api/user/balance')).body).toMatchObject({ data: { balance: 100 } });
    });

    it('belongs to the request that a key stands for; one without it is the same as ever', async () => {
      const caller = await world.caller();
      const receiver = await world.receiver();
      const send = (name: string, fields: object, at = 0) =>
        world.delegate(caller, { receiver_address: receiver, amount: 1, ...fields }, key(name), instances[at]);
      const first = await send('capped', { max_cost: 3 });
      expect((await send('capped', { max_cost: '3.0' }, 1)).text).toBe(first.text);
      for (const fields of [{}, { max_cost: 4 }, { max_cost: null }]) {
        expect(outcome(await send('capped', fields, 1))).toBe('IDEMPOTENCY_KEY_REUSED');
      }
      const plain = await send('plain', {});
      expect((await send('plain', { max_cost: '' }, 1)).text).toBe(plain.text);
      expect(outcome(await send('plain', { max_cost: 3 }))).toBe('IDEMPOTENCY_KEY_REUSED');
      // A refusal for it wrote no order: the key is free for another request.
      expect(outcome(await send('refused', { max_cost: 1 }))).toBe('COST_ABOVE_MAX');
      expect(outcome(await send('refused', { max_cost: 3 }))).toBe('success');
    });
  });

  describe('the daily limit', () => {
    it('is passed by no order of one moment, on two instances, and is answered as a balance that is too low', async () => {
      const caller = await world.caller({ balance: 1000, limits: { dailyLimitSun: 30n * TRX + 2_999_999n } });
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) => order(caller, {}, {}, instances[at % 2])),
      );
      expect(answers.filter((answer) => outcome(answer) === 'success')).toHaveLength(10);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const answer of refused) {
        expect([answer.status, outcome(answer)]).toEqual([501, 'TOKEN_LIMIT_REACHED']);
        expect(answer.body).toEqual({ success: false, error: NO_MONEY });
      }
      expect(await tokenOf(caller)).toMatchObject({ used_today: 30, remaining_today: 2.999999 });
    });

    it('that is used up keeps no success from being repeated, nor a parallel one from its answer', async () => {
      const caller = await world.caller({ balance: 1000, limits: { dailyLimitSun: 3n * TRX } });
      const receiver = await world.receiver();
      const send = (at: number) =>
        world.delegate(caller, { receiver_address: receiver, amount: 1 }, key('once'), instances[at % 2]);
      const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => send(at)));
      for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]!.text]);
      expect((await send(1)).text).toBe(answers[0]!.text);
      expect(outcome(await order(caller))).toBe('TOKEN_LIMIT_REACHED');
      expect(await ordersOf(caller)).toHaveLength(1);
    });

    it('is given back on its own day by an order that was answered with a failure, or never landed', async () => {
      const caller = await world.caller({ balance: 1000, limits: { dailyLimitSun: 6n * TRX } });
      await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'SERVER_BUSY', count: 1 });
      expect(outcome(await order(caller))).toBe('NODE_UNAVAILABLE');
      expect(await tokenOf(caller)).toMatchObject({ used_today: 0, remaining_today: 6 });
      await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1 });
      const lost = await order(caller);
      expect(outcome(lost)).toBe('success');
      const id = lost.headers.get('x-delegation-id')!;
      await world.query('update chain_transactions set resend = false where subject_id = $1', [id]);
      // The day passes before it is proved dead: what it gives back is yesterday's.
      await world.query('update token_days set day = day - 1 where token_id = $1', [caller.tokenId]);
      const next = await order(caller, { amount: 2 });
      await world.untilState(next.headers.get('x-delegation-id')!, 'included', 'delegated');
      await world.control('clock', { ms: 61_000 });
      await world.untilState(id, 'failed');
      const days = `select used_sun from token_days where token_id = $1 order by day`;
      expect(await world.query(days, [caller.tokenId])).toEqual([{ used_sun: 0n }, { used_sun: 6n * TRX }]);
      expect(await tokenOf(caller)).toMatchObject({ used_today: 6, remaining_today: 0 });
    });

    it('counts an order that quota pays at its list price, and gets back as much when it fails', async () => {
      const caller = await world.caller({ balance: 1, subscription: 5, limits: { dailyLimitSun: 5_900_000n } });
      await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'SERVER_BUSY', count: 1 });
      expect(outcome(await order(caller))).toBe('NODE_UNAVAILABLE');
      expect(await tokenOf(caller)).toMatchObject({ used_today: 0, remaining_today: 5.9 });
      expect(outcome(await order(caller))).toBe('success');
      expect(await tokenOf(caller)).toMatchObject({ used_today: 3, remaining_today: 2.9 });
      expect(outcome(await order(caller))).toBe('TOKEN_LIMIT_REACHED');
      await world.control('clock', { ms: 61_000 });
    });

    it('outlives the token: orders of one that is revoked settle on its day', async () => {
      const caller = await world.caller({ balance: 1000, limits: { dailyLimitSun: 6n * TRX } });
      const { headers } = await order(caller);
      await world.query('update api_tokens set revoked_at = now() where id = $1', [caller.tokenId]);
      await world.untilState(headers.get('x-delegation-id')!, 'delegated');
      expect(await world.query('select used_sun from token_days where token_id = $1', [caller.tokenId])).toEqual([
        { used_sun: 3n * TRX },
      ]);
    });
  });

  it('are checked in their order: stored answer, receivers, receiver, max costs, daily limit, balance, energy', async () => {
    const [allowed, empty] = [await world.receiver(), await world.receiver(false)];
    const limits = { receivers: [allowed, empty], maxCostSun: 20n * TRX, dailyLimitSun: 10n * TRX };
    const caller = await world.caller({ balance: 3, limits });
    const first = await order(caller, { receiver_address: allowed }, key('first'));
    const send = async (fields: object) => outcome(await order(caller, { receiver_address: allowed, ...fields }));
    // Each lacks all that comes behind it.
    const all = { amount: 1e9, max_cost: 1 };
    expect((await order(caller, { receiver_address: allowed }, key('first'))).text).toBe(first.text);
    expect(await send({ ...all, amount: 0 })).toBe('VALIDATION_FAILED');
    expect(await send({ ...all, receiver_address: await world.receiver(false) })).toBe('RECEIVER_NOT_ALLOWED');
    expect(await send({ ...all, receiver_address: empty })).toBe('RECEIVER_NOT_ACTIVATED');
    expect(await send(all)).toBe('COST_ABOVE_MAX');
    expect(await send({ amount: 1e9 })).toBe('COST_ABOVE_MAX');
    expect(await send({ amount: 1e30 })).toBe('COST_ABOVE_MAX');
    expect(await send({ amount: 5, max_cost: 15 })).toBe('TOKEN_LIMIT_REACHED');
    expect(await send({ amount: 1 })).toBe('INSUFFICIENT_BALANCE');
    const unlimited = await world.tokenOf(caller.id);
    expect(outcome(await order(unlimited, { amount: 1e9 }))).toBe('INSUFFICIENT_BALANCE');
    expect(outcome(await order(unlimited, { amount: 1e30, max_cost: 1e20 }))).toBe('INSUFFICIENT_BALANCE');
    const rich = await world.caller({ balance: 1_000_000_000, limits: { dailyLimitSun: 1n } });
    expect(outcome(await order(rich, { amount: 1e8 }))).toBe('TOKEN_LIMIT_REACHED');
    expect(outcome(await order(await world.tokenOf(rich.id), { amount: 1e8 }))).toBe('INSUFFICIENT_ENERGY');
  });

  it('of a token name the field of the order that is beyond them', async () => {
    const caller = await world.caller({
      balance: 100,
      limits: { maxCostSun: 2n, receivers: [await world.receiver()] },
    });
    const elsewhere = await order(caller);
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.body['details']).toEqual({ receiver_address: ['The receiver address is not allowed.'] });
    const dear = await order(await world.tokenOf(caller.id, { maxCostSun: 2n }), { max_cost: 1 });
    expect([dear.status, outcome(dear)]).toEqual([400, 'COST_ABOVE_MAX']);
    expect(dear.body['details']).toEqual({
      amount: ['The cost of 3 is more than the max cost of the token.'],
      max_cost: ['The cost of 3 is more than the max cost.'],
    });
  });

  it('that are changed hold from the next request on, on every instance, while open orders keep what they hold', async () => {
    const caller = await world.caller({ balance: 100, limits: { dailyLimitSun: 3n * TRX } });
    const change = (set: string) => world.query(`update api_tokens set ${set} where id = $1`, [caller.tokenId]);
    expect(outcome(await order(caller))).toBe('success');
    expect(outcome(await order(caller, {}, {}, instances[1]))).toBe('TOKEN_LIMIT_REACHED');
    await change('daily_limit_sun = 6000000');
    expect(outcome(await order(caller, {}, {}, instances[1]))).toBe('success');
    await change('daily_limit_sun = 1');
    expect(outcome(await order(caller, {}, {}, instances[1]))).toBe('TOKEN_LIMIT_REACHED');
    expect(await tokenOf(caller)).toMatchObject({ daily_limit: 0.000001, used_today: 6, remaining_today: 0 });
    await change('daily_limit_sun = null, max_cost_sun = 2999999');
    expect(outcome(await order(caller, {}, {}, instances[1]))).toBe('COST_ABOVE_MAX');
    await change('max_cost_sun = null');
    expect(outcome(await order(caller, {}, {}, instances[1]))).toBe('success');
  });

  it('hide orders to other receivers from every look-up, as if they were another user’s', async () => {
    const unlimited = await world.caller();
    const [mine, others] = [await world.receiver(), await world.receiver()];
    const orders: string[] = [];
    for (const receiver of [mine, others, mine, others]) {
      const answer = await order(unlimited, { receiver_address: receiver }, key(`${orders.length}`));
      orders.push(answer.headers.get('x-delegation-id')!);
    }
    const limited = await world.tokenOf(unlimited.id, { receivers: [mine] });
    const list = async (query = '') => {
      const { body } = await world.get(limited, `/api/chain/delegations${query}`);
      return (body['data'] as { id: string }[]).map(({ id }) => id);
    };
    expect(await list()).toEqual([orders[2], orders[0]]);
    expect(await list('?limit=1')).toEqual([orders[2]]);
    expect(await list(`?before=${orders[2]}`)).toEqual([orders[0]]);
    expect(await list(`?before=${orders[3]}`)).toEqual([]);
    expect(await list(`?receiver_address=${others}`)).toEqual([]);
    expect([await list('?idempotency_key=1'), await list('?idempotency_key=2')]).toEqual([[], [orders[2]]]);
    const { txid } = (await world.show(orders[1]!))!;
    expect(await list(`?txid=${txid}`)).toEqual([]);
    const statuses = [];
    for (const id of orders) statuses.push((await world.get(limited, `/api/chain/delegations/${id}`)).status);
    expect(statuses).toEqual([200, 404, 200, 404]);
    expect((await world.get(unlimited, `/api/chain/delegations/${orders[1]}`)).status).toBe(200);
  });
});

describe('in variant B', () => {
  it('limits go by the account’s own price, and every refusal carries a cost of 0', async () => {
    const world = await OrderWorld.open({ block: 100, env: { BILLING_VARIANT: 'B', DELEGATION_ANSWER: 'accepted' } });
    try {
      const limits = { dailyLimitSun: 5n * TRX, maxCostSun: 4n * TRX };
      const caller = await world.caller({ balance: 100, unitPriceSun: 2_100_000n, subscription: 1, limits });
      const order = async (fields: object) =>
        world.delegate(caller, { receiver_address: await world.receiver(), amount: 1, ...fields });
      expect((await order({ amount: 1, max_cost: 0 })).body).toMatchObject({ success: true, cost: 0 });
      const dear = await order({ max_cost: 2.099999 });
      expect(dear.body).toEqual({
        success: false,
        error: VALIDATION,
        details: { max_cost: ['The cost of 2.1 is more than the max cost.'] },
        cost: 0,
      });
      expect((await order({ amount: 2 })).body).toMatchObject({
        details: { amount: ['The cost of 4.2 is more than the max cost of the token.'] },
        cost: 0,
      });
      expect((await order({ max_cost: 2.1 })).body).toMatchObject({ success: true, cost: 2.1 });
      expect((await order({})).body).toEqual({ success: false, error: NO_MONEY, cost: 0 });
      expect((await world.get(caller, '/api/user/token')).body).toMatchObject({
        data: { used_today: 4.2, remaining_today: 0.8 },
      });
      await untilSettled(world.app.sql);
      expect((await world.audit()).findings).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
