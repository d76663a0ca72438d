import { utils } from 'tronweb';
import { LedgerService } from '../../../src/balance/ledger.service';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import { Clock } from '../../../src/common/clock';
import { KeyedQueue } from '../../../src/common/concurrency/keyed-queue';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { MovableClock } from '../../support/movable-clock';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

describe('parallel requests with one idempotency key', () => {
  let world: OrderWorld;
  let instances: TestApp[];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250 });
    instances = [world.app, await world.startInstance()];
  });
  afterAll(() => world.close());

  it.each([
    ['the balance is enough for one', 4, true, false],
    ['the balance is enough for one activation', 5, false, true],
  ])('get one answer when %s', async (_, balance, active, activate) => {
    const caller = await world.caller({ balance });
    const body = { receiver_address: await world.receiver(active), amount: 1, activate_address: activate };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const place = (__: unknown, at: number) => world.delegate(caller, body, headers, instances[at % 2]);
    expectOne(await Promise.all(Array.from({ length: 20 }, place)));
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('get one answer when the nodes of one instance fail it', async () => {
    const proxy = new NodeProxy(world.chain.url);
    const cutOff = await world.startInstance({ TRON_FULL_NODE_URLS: await proxy.open() });
    await world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 }, {}, cutOff);
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    let fail!: () => void;
    const failing = new Promise<void>((_, reject) => (fail = () => reject(new Error('cut'))));
    failing.catch(() => undefined);
    const asked = proxy.calls.length;
    proxy.before = ({ route }) => (route === 'wallet/getaccount' ? failing : undefined);
    const second = world.delegate(caller, body, headers, cutOff);
    await until('it asks of the receiver', async () =>
      proxy.calls.slice(asked).some(({ route }) => route === 'wallet/getaccount'),
    );
    const first = await world.delegate(caller, body, headers);
    fail();
    expectOne([first, await second]);
    await proxy.refuse();
    const alone = await world.delegate(caller, body, { 'idempotency-key': crypto.randomUUID() }, cutOff);
    expect(alone.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
  });

  it('get one answer when the stake is enough for one', async () => {
    const caller = await world.caller();
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: 7_050_000_000 });
    await world.addKey('small', address.base58, 'delegate', privateKey.toLowerCase());
    await world.app.app.get(PoolWallets).setState('pool', 'paused');
    await world.node('control/block', { count: 6 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const place = (__: unknown, at: number) => world.delegate(caller, body, headers, instances[at % 2]);
    expectOne(await Promise.all(Array.from({ length: 20 }, place)));
  });
});

describe('while a node does not answer for the receiver of a first request', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    proxy.before = () => undefined;
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const key = () => ({ 'idempotency-key': crypto.randomUUID() });
  const credit = ({ id: userId }: Caller) =>
    world.app.app.get(LedgerService).credit({ userId, amountSun: 10_000_000n, note: '' });
  const ordersOf = ({ id }: Caller) => world.query('select 1 from delegations where user_id = $1', [id]);

  /** The first request for this receiver, once its question to the node is held. */
  async function heldRequest(
    caller: Caller,
    body: { receiver_address: string; amount: number },
    headers: Record<string, string>,
  ) {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    proxy.before = ({ route, body: { address } }) => {
      const isHeld = route === 'wallet/getaccount' && address === utils.address.toHex(body.receiver_address);
      return isHeld && asked++ === 0 ? released : undefined;
    };
    const answer = world.delegate(caller, body, headers);
    await until('it asks of the receiver', async () => asked === 1);
    return { answer, release, asked: () => asked };
  }

  /** Once it waits, or is answered. */
  async function repeatOf(caller: Caller, body: object, headers: Record<string, string>) {
    const queued = jest.spyOn(KeyedQueue.prototype, 'run');
    let isAnswered = false;
    const answer = world.delegate(caller, body, headers).finally(() => (isAnswered = true));
    const waits = () => queued.mock.calls.some(([name]) => name === `${caller.id} ${headers['idempotency-key']}`);
    await until('the repeat waits or is answered', async () => isAnswered || waits());
    return { answer };
  }

  it('a repeat waits for it, and both get one answer, though neither could be paid when the repeat came', async () => {
    const caller = await world.caller({ balance: 0 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const headers = key();
    const first = await heldRequest(caller, body, headers);
    const repeat = await repeatOf(caller, body, headers);
    await credit(caller);
    first.release();
    expectOne([await first.answer, await repeat.answer]);
    expect(await ordersOf(caller)).toHaveLength(1);
  });

  it.each([
    ['5 seconds it is placed', 5_000, 200, null],
    ['11 seconds it is refused and nothing is written, nor is its repeat begun', 11_000, 500, 'INTERNAL'],
  ])('and then answers after %s', async (_, ms, status, code) => {
    const caller = await world.caller({ balance: 10 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const headers = key();
    const first = await heldRequest(caller, body, headers);
    const repeat = await repeatOf(caller, body, headers);
    clock.advance(ms);
    first.release();
    for (const answer of [await first.answer, await repeat.answer]) {
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([status, code]);
      expect(answer.headers.has('x-delegation-id')).toBe(status === 200);
    }
    expect(await ordersOf(caller)).toHaveLength(status === 200 ? 1 : 0);
    expect(first.asked()).toBe(1);
  });
});

function expectOne(answers: Answer[]): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body['txid'])).size).toBe(1);
}
