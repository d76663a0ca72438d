import { utils } from 'tronweb';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, OrderWorld } from '../../support/order-world';
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

function expectOne(answers: Answer[]): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body['txid'])).size).toBe(1);
}
