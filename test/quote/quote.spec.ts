import { TronWeb } from 'tronweb';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { Switches } from '../../src/chain/pool/switches/switches';
import { type Caller, OrderWorld } from '../support/order-world';
import { USDT, askQuote, giveTokens, type QuoteFields, quoted } from './quote-caller';

describe('GET /api/chain/quote', () => {
  let world: OrderWorld;
  let caller: Caller;
  let receiver: string;

  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual' });
    await world.control('block', { count: 30 });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    caller = await world.caller();
    receiver = await world.receiver();
  });

  const quote = (fields: Record<string, string | number> = {}, of = receiver) =>
    quoted(world, caller, { receiver_address: of, ...fields });

  it('sizes a first transfer to an empty recipient at 2.005 transactions, and says what burning would cost', async () => {
    await giveTokens(world, receiver, 5_000_000);
    const to = await world.receiver(false);
    const answer = await askQuote(world, caller, { receiver_address: receiver, to, value: 5_000_000 });
    const { largest_amount: largest, quoted_at: at, ...rest } = answer.body['data'] as Record<string, unknown>;
    expect(rest).toEqual({
      receiver_address: receiver,
      activated: true,
      contract: false,
      energy_available: 0,
      energy: 130_325,
      amount: 2.005,
      cost: 6.015,
      activation_cost: 0,
      paid_by: 'balance',
      payable: true,
      available: true,
      burn_cost: 13.0285,
      transfer: { energy: 130_285, penalty: 0, succeeds: true },
    });
    expect(answer.body['success']).toBe(true);
    expect(answer.text).toContain('"cost":6.015,');
    expect(largest).toBeGreaterThan(1_400);
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    const same = await world.get(caller, `/api/tron/quote?receiver_address=${receiver}`);
    expect(same.status).toBe(200);
  });

  it.each(['too', 'recipient', 'only_missings', 'Amount'])(
    'refuses a field that it does not know: %s',
    async (name) => {
      const { status, body } = await world.get(caller, `/api/chain/quote?receiver_address=${receiver}&${name}=1`);
      expect([status, Object.keys(body['details'] as object)]).toEqual([400, [name]]);
    },
  );

  it.each(['value=5', `token=${USDT}`])('refuses %s of a transfer without its recipient', async (field) => {
    const { status, body } = await world.get(caller, `/api/chain/quote?receiver_address=${receiver}&amount=1&${field}`);
    expect([status, body['details']]).toEqual([400, { to: ['The to field is required with token or value.'] }]);
  });

  it('reads its query as an order its body: blanks around a value are none of it', async () => {
    const asked = await askQuote(world, caller, { receiver_address: ` ${receiver} `, amount: ' 2 ' });
    expect([asked.status, (asked.body['data'] as { amount: number }).amount]).toEqual([200, 2]);
  });

  it('is refused to a token that is for other receivers, as an order would be', async () => {
    const limited = await world.caller({ balance: 1000, limits: { receivers: [receiver] } });
    expect(await quoted(world, limited, { receiver_address: receiver })).toMatchObject({ payable: true });
    const other = await askQuote(world, limited, { receiver_address: await world.receiver() });
    expect(other.status).toBe(400);
    expect(other.headers.get('x-error-code')).toBe('RECEIVER_NOT_ALLOWED');
    expect(other.body['details']).toEqual({ receiver_address: ['The receiver address is not allowed.'] });
  });

  it('is never below one transaction, and exact in thousandths', async () => {
    await giveTokens(world, receiver, 1);
    const to = await world.receiver(false);
    await giveTokens(world, to, 1);
    const holder = await quote({ to });
    expect(holder).toMatchObject({ amount: 1, energy: 65_000, cost: 3, burn_cost: 6.4285 });
    expect(holder['transfer']).toEqual({ energy: 64_285, penalty: 0, succeeds: true });
    expect(await quote()).toMatchObject({ amount: 1, energy: 65_000, cost: 3, burn_cost: 6.5 });
    expect(await quote()).not.toHaveProperty('transfer');
    expect(await quote({ amount: '1.0001' })).toMatchObject({
      amount: 1.001,
      energy: 65_065,
      cost: 3.003,
      burn_cost: 6.5007,
    });
    expect(await quote({ amount: '3.3' })).toMatchObject({ amount: 3.3, energy: 214_500, cost: 9.9 });
    // An amount of the caller's own says the size, also beside a transfer.
    const own = await quote({ amount: 7, to });
    expect(own).toMatchObject({ amount: 7, energy: 455_000, transfer: { energy: 64_285 } });
  });

  it('takes off what the receiver has when only what is missing is asked for', async () => {
    await world.control('account', { address: receiver, staked_energy_sun: '10000000000' });
    const energy = await world.energyOf(receiver);
    expect(energy).toBeGreaterThan(90_000);
    const missing = 130_000 - energy;
    expect(await quote({ amount: 2, only_missing: 1 })).toMatchObject({
      energy_available: energy,
      amount: 1,
      energy: 65_000,
      burn_cost: missing / 10_000,
    });
    const amount = Math.ceil(((195_000 - energy) / 65_000) * 1000) / 1000;
    expect(await quote({ amount: 3, only_missing: 1 })).toMatchObject({ amount, energy: Math.ceil(amount * 65_000) });
    expect(await quote({ amount: 3, only_missing: 0 })).toMatchObject({ amount: 3 });
    const nothing = { energy: 0, amount: 0, cost: 0, burn_cost: 0, payable: true, available: true };
    expect(await quote({ only_missing: 1 })).toMatchObject(nothing);
    for (const flag of ['true', 'TRUE', ' 1 ']) expect(await quote({ only_missing: flag })).toMatchObject(nothing);
    expect(await quote({ amount: 3, only_missing: 'false' })).toMatchObject({ amount: 3 });
    // The used energy is gone.
    const spent = world.control('spend-energy', { address: receiver, energy });
    await world.control('block', { count: 1 });
    await spent;
    const used = await quote({ only_missing: 1 });
    expect(used).toMatchObject({ amount: 1 });
    // Some of it may have come back with the next slot.
    expect(used['energy_available']).toBeLessThan(100);
  });

  it('counts in what is missing what the receiver has used above its limit, so that the lent energy can be used', async () => {
    await giveTokens(world, receiver, 5);
    await world.control('account', { address: receiver, staked_energy_sun: '10000000000' });
    const used = await world.energyOf(receiver);
    const spent = world.control('spend-energy', { address: receiver, energy: used });
    await world.control('block', { count: 1 });
    await spent;
    await world.control('account', { address: receiver, staked_energy_sun: '0' });
    const to = await world.receiver(false);
    await giveTokens(world, to, 1);
    await world.control('block', { count: 1 });
    // Some of it comes back with each slot.
    const near = (energy: number) => {
      const { EnergyUsed } = resources;
      expect(energy).toBeGreaterThanOrEqual(Number(EnergyUsed) + 64_285 - 1_000);
      expect(energy).toBeLessThanOrEqual(used + 65_000 + 1_000);
    };
    const resources = await world.node('wallet/getaccountresource', { address: TronWeb.address.toHex(receiver) });
    expect(Number(resources['EnergyUsed'])).toBeGreaterThan(90_000);
    const asked = { energy_available: 0, burn_cost: 6.4285 };
    for (const fields of [{ to, only_missing: 1 }, { to }] as QuoteFields[]) {
      const found = await quote(fields);
      expect(found).toMatchObject(asked);
      near(found['energy'] as number);
    }
    const one = await quote({ only_missing: 1 });
    expect(one).toMatchObject({ energy_available: 0, burn_cost: 6.5 });
    near(one['energy'] as number);
    // The size that a caller names is its own affair.
    expect(await quote({ amount: 1 })).toMatchObject({ energy: 65_000 });
  });

  it('says who would pay now: quota before balance, or neither', async () => {
    const both = await world.caller({ balance: 10, subscription: 2 });
    const ask = (fields: object, by = both) => quoted(world, by, { receiver_address: receiver, ...fields });
    expect(await ask({ amount: 2 })).toMatchObject({ paid_by: 'subscription', cost: 0, payable: true });
    // Quota pays all of an order or none of it.
    expect(await ask({ amount: '2.001' })).toMatchObject({ paid_by: 'balance', cost: 6.003, payable: true });
    expect(await ask({ amount: 4 })).toMatchObject({ paid_by: null, cost: 12, payable: false });
    const poor = await world.caller({ balance: 0 });
    expect(await ask({}, poor)).toMatchObject({ paid_by: null, cost: 3, payable: false, available: true });
  });

  const LIMITS = {
    'its max cost': { limits: { maxCostSun: 3_000_000n }, payable: { amount: 1 }, refused: { amount: '1.001' } },
    'its daily limit': { limits: { dailyLimitSun: 6_000_000n }, payable: { amount: 2 }, refused: { amount: '2.001' } },
    'its daily limit, although quota pays': {
      limits: { dailyLimitSun: 6_000_000n },
      payable: { amount: 2 },
      refused: { amount: 3 },
      subscription: 5,
    },
  };

  it.each(Object.entries(LIMITS))(
    'is not payable where the token would be refused for %s, as its order is',
    async (_, { limits, payable, refused, ...row }) => {
      const limited = await world.caller({ balance: 100, ...row, limits });
      const paidBy = 'subscription' in row ? 'subscription' : 'balance';
      const ask = (fields: QuoteFields) => quoted(world, limited, { receiver_address: receiver, ...fields });
      expect(await ask(payable)).toMatchObject({ payable: true, paid_by: paidBy });
      expect(await ask(refused)).toMatchObject({ payable: false, paid_by: paidBy });
      const { headers } = await world.delegate(limited, { receiver_address: receiver, ...refused });
      expect(headers.get('x-error-code')).toMatch(/^(COST_ABOVE_MAX|TOKEN_LIMIT_REACHED)$/);
      // Another token of the same account has no such limit.
      const free = await world.tokenOf(limited.id);
      expect(await quoted(world, free, { receiver_address: receiver, ...refused })).toMatchObject({ payable: true });
    },
  );

  it('is not payable by what a token has left of its day', async () => {
    const limited = await world.caller({ balance: 100, limits: { dailyLimitSun: 6_000_000n } });
    const used = world.delegate(limited, { receiver_address: receiver, amount: 1 });
    await world.untilPending();
    await world.control('block');
    expect((await used).status).toBe(200);
    const ask = (amount: number) => quoted(world, limited, { receiver_address: receiver, amount });
    expect(await ask(1)).toMatchObject({ payable: true });
    expect(await ask(2)).toMatchObject({ payable: false, paid_by: 'balance' });
  });

  it('counts the activation of a receiver that does not exist, which the balance always pays', async () => {
    const inactive = await world.receiver(false);
    const of = (by: Caller) => quoted(world, by, { receiver_address: inactive });
    const expected = { activated: false, activation_cost: 1.5, energy_available: 0 };
    expect(await of(caller)).toMatchObject({ ...expected, cost: 3, payable: true });
    expect(await of(await world.caller({ balance: 4 }))).toMatchObject({ ...expected, paid_by: null, payable: false });
    const quotaAlone = await world.caller({ balance: 1, subscription: 5 });
    expect(await of(quotaAlone)).toMatchObject({ paid_by: null, payable: false });
    const quotaAndFee = await world.caller({ balance: 2, subscription: 5 });
    expect(await of(quotaAndFee)).toMatchObject({ ...expected, paid_by: 'subscription', cost: 0 });
  });

  it('shows a contract as one, which no wallet could lend to', async () => {
    expect(await quote({}, USDT)).toMatchObject({ activated: true, contract: true, available: false });
  });

  it('says whether one wallet could lend it now, and the largest amount that it could', async () => {
    const { largest_amount: largest } = (await quote()) as { largest_amount: number };
    expect(await quote({ amount: largest })).toMatchObject({ available: true });
    expect(await quote({ amount: (largest + 0.001).toFixed(3) })).toMatchObject({
      available: false,
      largest_amount: largest,
    });
    const switches = world.app.app.get(Switches);
    await switches.pause('orders', null);
    expect(await quote()).toMatchObject({ available: false, largest_amount: 0, payable: true });
    await switches.resume('orders');
    expect(await quote()).toMatchObject({ available: true, largest_amount: largest });
  });

  it('sizes a transfer that would revert by whether its recipient holds the token', async () => {
    const to = await world.receiver(false);
    const transfer = { penalty: 0, succeeds: false };
    expect(await quote({ to })).toMatchObject({ amount: 2.005, transfer: { ...transfer, energy: 130_285 } });
    await giveTokens(world, to, 1);
    await world.control('block');
    expect(await quote({ to })).toMatchObject({ amount: 1, transfer: { ...transfer, energy: 64_285 } });
  });

  it('has the penalty of a token in heavy use in the energy, once', async () => {
    await giveTokens(world, receiver, 1);
    await world.control('token', { energy_factor: 10_000 });
    await world.control('block');
    const to = await world.receiver(false);
    expect(await quote({ to })).toMatchObject({
      transfer: { energy: 260_570, penalty: 130_285, succeeds: true },
      amount: 4.009,
    });
    await world.control('token', { energy_factor: 0 });
  });

  it('refuses what cannot be estimated, by the field that is wrong', async () => {
    const to = await world.receiver(false);
    await world.control('fault', { route: 'wallet/triggerconstantcontract', kind: 'no-constant-calls', count: 1 });
    const off = await askQuote(world, caller, { receiver_address: receiver, to });
    expect(off.status).toBe(400);
    expect(off.body).toEqual({
      success: false,
      error: '参数验证失败',
      details: { to: ['The transfer cannot be estimated by this node.'] },
    });
    expect(off.headers.get('x-error-code')).toBe('VALIDATION_FAILED');
    const other = await askQuote(world, caller, { receiver_address: receiver, to, token: await world.receiver() });
    expect(other.body['details']).toEqual({ token: ['The token must be a TRC-20 contract.'] });
    // A node that just fails is not such a node, and orders are not kept from it.
    await world.control('fault', { route: 'wallet/triggerconstantcontract', kind: '500', count: 1 });
    const failed = await askQuote(world, caller, { receiver_address: receiver, to, value: 2 });
    expect([failed.status, failed.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
    expect((await askQuote(world, caller, { receiver_address: receiver, to, value: 3 })).status).toBe(200);
  });

  it.each<[Record<string, string>, string, string]>([
    [{ receiver_address: '' }, 'receiver_address', 'The receiver address field is required.'],
    [{ receiver_address: 'T1' }, 'receiver_address', 'The receiver address must be 34 characters.'],
    [{ receiver_address: USDT.replace(/t$/, 'u') }, 'receiver_address', 'The receiver address format is invalid.'],
    [{ amount: 'x' }, 'amount', 'The amount must be a number.'],
    [{ amount: '0.999' }, 'amount', 'The amount must be at least 1.'],
    [{ to: 'T1' }, 'to', 'The to must be 34 characters.'],
    [{ to: USDT.replace(/t$/, 'u') }, 'to', 'The to format is invalid.'],
    [{ token: USDT.replace(/t$/, 'u') }, 'token', 'The token format is invalid.'],
    [{ value: '1.5' }, 'value', 'The value must be an integer.'],
    [{ value: '-1' }, 'value', 'The value must be an integer.'],
    [{ value: (2n ** 256n).toString() }, 'value', 'The value must be an integer.'],
    [{ only_missing: 'yes' }, 'only_missing', 'The only missing field must be true or false.'],
    [{ only_missing: '' }, 'only_missing', 'The only missing must not be empty.'],
    [{ amount: '' }, 'amount', 'The amount must not be empty.'],
    [{ amount: ' ' }, 'amount', 'The amount must not be empty.'],
    [{ amount: '\0' }, 'amount', 'The amount must not be empty.'],
    [{ to: '' }, 'to', 'The to must not be empty.'],
    [{ 'amount[]': '2' }, 'amount', 'The amount must be a single value.'],
    [{ 'to[0]': USDT }, 'to', 'The to must be a single value.'],
  ])('refuses %j by its field', async (fields, name, sentence) => {
    const { status, body, headers } = await askQuote(world, caller, { receiver_address: receiver, ...fields });
    expect({ status, details: body['details'] }).toEqual({ status: 400, details: { [name]: [sentence] } });
    expect(headers.get('x-error-code')).toBe('VALIDATION_FAILED');
  });

  it('refuses a field that was sent twice, with the same value too', async () => {
    const ask = async (query: string) => {
      const answer = await world.get(caller, `/api/chain/quote?receiver_address=${receiver}&${query}`);
      return [answer.status, answer.body['details']];
    };
    expect(await ask('amount=2&amount=2')).toEqual([400, { amount: ['The amount must be a single value.'] }]);
    expect(await ask('only_missing=1&only_missing=0')).toEqual([
      400,
      { only_missing: ['The only missing must be a single value.'] },
    ]);
  });

  it('refuses the service’s own wallets', async () => {
    const own = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const refused = await askQuote(world, caller, { receiver_address: own });
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'RECEIVER_NOT_ALLOWED']);
    expect(refused.body['details']).toEqual({ receiver_address: ['The receiver address is not allowed.'] });
  });

  it.each([
    ['2e9', 2e9, 130_000_000_000_000],
    ['9e12', 9e12, 585_000_000_000_000_000],
    ['1e15', 1e15, Number(2n ** 63n)],
    ['1000000000000000000000', 1e21, Number(2n ** 63n)],
    ['1e400', 1e21, Number(2n ** 63n)],
    ['1e999999999', 1e21, Number(2n ** 63n)],
  ])('says of %s transactions, more than anybody could pay or lend, just that', async (asked, amount, energy) => {
    const found = await quote({ amount: asked });
    expect(found).toMatchObject({ amount, energy, cost: amount * 3, paid_by: null, payable: false, available: false });
    expect(found['largest_amount']).toBeGreaterThan(1_400);
    const missing = await quote({ amount: asked, only_missing: 'true' });
    expect(missing).toMatchObject({ payable: false, available: false });
  });

  it('needs a token with the permission delegate', async () => {
    const create = { userId: caller.id, name: 'balance alone', permissions: ['balance'] };
    const { token } = await world.app.app.get(ApiTokenService).create(create);
    const without = await askQuote(world, { id: caller.id, token }, { receiver_address: receiver });
    expect([without.status, without.headers.get('x-error-code')]).toEqual([401, 'PERMISSION_DENIED']);
    expect((await askQuote(world, { id: '', token: 'none' }, { receiver_address: receiver })).status).toBe(401);
  });

  it('reserves and holds nothing', async () => {
    const state = `select (select count(*) from holds)::int + (select count(*) from delegations)::int as rows,
      (select coalesce(sum(held_sun), 0) from accounts)::int as held`;
    const before = await world.query(state);
    await quote({ amount: 5 });
    expect(await world.query(state)).toEqual(before);
  });
});

describe('a quote in variant B', () => {
  it('has the account’s own price', async () => {
    const world = await OrderWorld.open({ block: 'manual', env: { BILLING_VARIANT: 'B' } });
    await world.control('block', { count: 30 });
    await world.untilWalletsRead();
    const [receiver_address, to] = [await world.receiver(), TronWeb.address.fromHex(`41${'ab'.repeat(20)}`)];
    const dear = await world.caller({ balance: 100 });
    const cheap = await world.caller({ balance: 100, unitPriceSun: 2_100_001n });
    expect(await quoted(world, dear, { receiver_address, to })).toMatchObject({ amount: 2.005, cost: 5.0125 });
    expect(await quoted(world, cheap, { receiver_address, amount: '1.001' })).toMatchObject({ cost: 2.102102 });
    await world.close();
  });
});
