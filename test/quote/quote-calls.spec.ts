import { ConfiguredNodes } from '../../src/chain/tron/node/configured-nodes';
import { RateLimitStorage } from '../../src/rate-limit/rate-limit.storage';
import { freezeDate } from '../support/frozen-date';
import { NodeProxy } from '../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import { StandingClock } from '../support/standing-clock';
import { askQuote, giveTokens, quoted, quotePath } from './quote-caller';

const READS = ['getaccount', 'getaccountresource', 'getchainparameters', 'triggerconstantcontract'];

describe('what quotes ask of nodes', () => {
  const proxy = new NodeProxy('');
  let world: OrderWorld;
  let receiver: string;
  let to: string;

  beforeAll(async () => {
    const nodeUrl = async (chainUrl: string) => {
      proxy.target = chainUrl;
      return proxy.open();
    };
    // Nothing else reads the chain meanwhile.
    world = await OrderWorld.open({ block: 'manual', nodeUrl, backgroundWork: false });
    await world.control('block', { count: 30 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  beforeEach(async () => {
    receiver = await world.receiver();
    to = await world.receiver(false);
    await giveTokens(world, receiver, 100);
    await world.control('block');
    // Wallets are read once a minute for all orders and quotes.
    await quoted(world, await world.caller(), { receiver_address: await world.receiver() });
    await world.control('block');
    proxy.calls.length = 0;
  });

  const counts = () => READS.map((route) => proxy.count(`wallet/${route}`));
  const ask = (by: Caller, value = 1): Promise<Answer> =>
    askQuote(world, by, { receiver_address: receiver, to, value });

  it('are prices, account and transfer once a block for all who ask, also at once', async () => {
    const callers = await Promise.all([world.caller(), world.caller(), world.caller()]);
    const answers = await Promise.all(callers.flatMap((by) => [ask(by), ask(by), ask(by), ask(by)]));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(counts()).toEqual([1, 1, 1, 1]);
    await ask(callers[0]);
    expect(counts()).toEqual([1, 1, 1, 1]);
  });

  it('is asked again with the next block, and shows what has changed', async () => {
    const caller = await world.caller();
    expect((await ask(caller)).body['data']).toMatchObject({ energy_available: 0, transfer: { succeeds: true } });
    await world.control('account', { address: receiver, staked_energy_sun: '10000000000' });
    await giveTokens(world, receiver, 0);
    await world.control('block');
    const { data } = (await ask(caller)).body as { data: { energy_available: number } };
    expect(data).toMatchObject({ transfer: { succeeds: false } });
    expect(data.energy_available).toBeGreaterThan(90_000);
    expect(counts()).toEqual([2, 2, 2, 3]);
  });

  it('is not kept when it failed', async () => {
    const caller = await world.caller();
    await world.control('fault', { route: 'wallet/getchainparameters', kind: '500', count: 1 });
    const failed = await ask(caller);
    expect([failed.status, failed.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
    await world.app.app.get(ConfiguredNodes).verify('wallet');
    expect((await ask(caller)).status).toBe(200);
  });

  it('goes to the next node from one that does not offer it, whose place stays', async () => {
    const second = (await world.control('node')) as { url: string };
    const gateway = new NodeProxy(world.chain.url);
    const gatewayUrl = await gateway.open();
    const env = { TRON_FULL_NODE_URLS: `${gatewayUrl},${second.url}` };
    const app = await world.startInstance(env, false);
    gateway.status = ({ route }) => (route.endsWith('triggerconstantcontract') ? 405 : undefined);
    const { token } = await world.caller();
    const headers = { authorization: `Bearer ${token}` };
    const get = (value: number) =>
      fetch(`${app.url}${quotePath({ receiver_address: receiver, to, value })}`, { headers });
    expect((await get(1)).status).toBe(200);
    expect(gateway.count('wallet/triggerconstantcontract')).toBe(1);
    await get(2);
    expect(gateway.count('wallet/triggerconstantcontract')).toBe(2);
    await world.stopInstance(app);
    await gateway.close();
  });

  it('is nothing that a node is distrusted for, however it fails a dry run', async () => {
    const caller = await world.caller();
    const node = () => world.app.app.get(ConfiguredNodes).standings()[0]!.lastFault;
    let answer = '{"Error":"class java.lang.NullPointerException : null"}';
    proxy.answers = ({ route }) => (route.endsWith('triggerconstantcontract') ? answer : undefined);
    for (const [given, status] of [
      [answer, 500],
      ['{"result":{"result":true}}', 500],
      ['<html>', 500],
      ['{"result":{"code":"OTHER_ERROR","message":"class java.lang.Exception : x"}}', 500],
      [
        '{"result":{"code":"OTHER_ERROR","message":"class org.tron.core.vm.program.Program$OutOfTimeException : CPU"}}',
        400,
      ],
      ['{"result":{"code":"CONTRACT_VALIDATE_ERROR","message":"this node does not support constant"}}', 400],
    ] as const) {
      answer = given;
      await world.control('block');
      expect([given, (await ask(caller)).status]).toEqual([given, status]);
      expect(node()).toBeNull();
    }
    proxy.answers = () => undefined;
  });
});

describe.each(['memory', 'postgres'])('new sizings, counted in %s', (store) => {
  const date = freezeDate();
  let clock: StandingClock;
  let world: OrderWorld;
  let receiver: string;
  let to: string;

  beforeAll(async () => {
    const databaseUrl = async (url: string) => {
      const [made, seenAt] = await StandingClock.forAll(url);
      clock = made;
      return seenAt;
    };
    const env = { RATE_LIMIT_STORE: store };
    world = await OrderWorld.open({ block: 'manual', env, backgroundWork: false, databaseUrl });
    await world.control('block', { count: 30 });
    [receiver, to] = [await world.receiver(), await world.receiver(false)];
  });
  afterAll(() => world.close());

  async function pass(ms: number): Promise<void> {
    date.advance(ms);
    await clock.advance(ms);
  }
  const ask = (by: Caller, value: number): Promise<Answer> =>
    askQuote(world, by, { receiver_address: receiver, to, value });
  const askTen = async (by: Caller): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(by, i + 1)));
    return answers.map(({ status }) => status);
  };

  it('are ten a minute for an account; what is known costs none, nor do quotes without a transfer', async () => {
    const [caller, other] = [await world.caller(), await world.caller()];
    expect(await askTen(caller)).toEqual(Array.from({ length: 10 }, () => 200));
    const eleventh = await ask(caller, 11);
    expect(eleventh.status).toBe(429);
    expect(eleventh.body).toEqual({ success: false, error: '请求过于频繁,请稍后再试' });
    const shown = ['x-error-code', 'retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
    const headers = shown.map((name) => eleventh.headers.get(name));
    expect(headers).toEqual(['RATE_LIMITED', '60', '10', '0', '60']);
    // Known already: asked for before in this block, by this account or another.
    expect((await ask(caller, 3)).status).toBe(200);
    expect((await ask(other, 12)).status).toBe(200);
    expect((await ask(caller, 12)).status).toBe(200);
    expect((await world.get(caller, quotePath({ receiver_address: receiver }))).status).toBe(200);
    // Another account has its own ten, of which what is known has used none.
    expect(await askTen(other)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await ask(other, 13)).status).toBe(200);
    // With the next block everything is new.
    await world.control('block');
    expect((await ask(caller, 3)).status).toBe(429);
    await pass(60_000);
    expect((await ask(caller, 3)).status).toBe(200);
  });

  it('are ten a minute for all accounts of a network that have paid for nothing yet', async () => {
    await pass(60_000);
    await world.control('block');
    const network = '203.0.113.50';
    const [one, other] = await Promise.all([1, 2].map(() => world.caller({ signUpNetwork: network })));
    const elsewhere = await world.caller({ signUpNetwork: '203.0.113.51' });
    const paying = await world.caller({ signUpNetwork: network, subscription: 1 });
    expect(await askTen(one!)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await ask(other!, 101)).status).toBe(429);
    expect((await ask(elsewhere, 102)).status).toBe(200);
    expect((await ask(paying, 103)).status).toBe(200);
  });

  it('are forty a minute for the newcomers of an IPv6 network of 48 bits', async () => {
    await pass(60_000);
    await world.control('block');
    const networks = [1, 2, 3, 4, 5].map((at) => `2001:db8:1:${at}::/64`);
    const newcomers = await Promise.all(networks.map((signUpNetwork) => world.caller({ signUpNetwork })));
    const statuses: number[] = [];
    for (const [at, by] of newcomers.entries()) {
      for (let n = 0; n < 10; n += 1) statuses.push((await ask(by, 200 + at * 10 + n)).status);
    }
    expect(statuses).toEqual(Array.from({ length: 50 }, (_, at) => (at < 40 ? 200 : 429)));
  });

  it('are two hundred a minute for all newcomers, of which a network that has used up its own takes none', async () => {
    await pass(60_000);
    await world.control('block');
    const [full, last] = ['203.0.113.60', '203.0.113.61'];
    const [one, other, elsewhere] = await Promise.all(
      [full, full, last].map((signUpNetwork) => world.caller({ signUpNetwork })),
    );
    expect(await askTen(one!)).toEqual(Array.from({ length: 10 }, () => 200));
    const limits = world.app.app.get(RateLimitStorage);
    for (let n = 10; n < 199; n += 1) await limits.increment('all', 60_000, 200, 0, 'sizing-newcomers');
    for (let n = 0; n < 3; n += 1) expect((await ask(other!, 300 + n)).status).toBe(429);
    expect((await ask(elsewhere!, 310)).status).toBe(200);
    expect((await ask(elsewhere!, 311)).status).toBe(429);
    expect((await ask(await world.caller(), 312)).status).toBe(200);
  });

  it('are not counted for what another account has asked for meanwhile', async () => {
    await pass(60_000);
    await world.control('block');
    const [caller, faster] = [await world.caller(), await world.caller()];
    const limits = world.app.app.get(RateLimitStorage);
    const increment = limits.increment.bind(limits);
    let isFirst = true;
    const counting = jest.spyOn(limits, 'increment').mockImplementation(async (...asked) => {
      const [key, , , , name] = asked;
      if (isFirst && key === caller.id && name === 'sizing') {
        isFirst = false;
        expect((await ask(faster, 400)).status).toBe(200);
      }
      return increment(...asked);
    });
    expect((await ask(caller, 400)).status).toBe(200);
    counting.mockRestore();
    expect(isFirst).toBe(false);
    expect(await askTen(caller)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await ask(caller, 401)).status).toBe(429);
  });

  it('are counted for all instances where the count is shared', async () => {
    const second = await world.startInstance({}, false);
    await world.control('block');
    const caller = await world.caller();
    expect(await askTen(caller)).toEqual(Array.from({ length: 10 }, () => 200));
    const headers = { authorization: `Bearer ${caller.token}` };
    const path = quotePath({ receiver_address: receiver, to, value: 999 });
    const { status } = await fetch(`${second.url}${path}`, { headers });
    expect(status).toBe(store === 'postgres' ? 429 : 200);
    await world.stopInstance(second);
  });
});
