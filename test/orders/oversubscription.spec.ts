import { utils } from 'tronweb';
import { PoolAdmin } from '../../src/chain/pool/pool-admin';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import type { TestApp } from '../support/test-app';

const TWENTY_ORDERS_SUN = 141_000_000_000;

describe('more orders than can be paid or lent', () => {
  let world: OrderWorld;
  let instances: TestApp[];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250 });
    instances = [world.app, await world.startInstance()];
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  async function fiftyOrders(caller: Caller): Promise<Answer[]> {
    const receiver = await world.receiver();
    const order = (_: unknown, at: number) =>
      world.delegate(caller, { receiver_address: receiver, amount: 1 }, {}, instances[at % 2]);
    return Promise.all(Array.from({ length: 50 }, order));
  }

  it('sells exactly what the balance pays', async () => {
    expectTwenty(await fiftyOrders(await world.caller({ balance: 61 })), 'INSUFFICIENT_BALANCE');
  });

  it('sells exactly what the quota pays', async () => {
    expectTwenty(await fiftyOrders(await world.caller({ balance: 2, subscription: 20 })), 'INSUFFICIENT_BALANCE');
  });

  it('sells exactly what quota and balance pay together', async () => {
    expectTwenty(await fiftyOrders(await world.caller({ balance: 30, subscription: 10 })), 'INSUFFICIENT_BALANCE');
  });

  it('never lends more than a wallet has', async () => {
    const { address, privateKey } = utils.accounts.generateAccount();
    await world.control('account', {
      address: address.base58,
      type: 'Normal',
      balance_sun: 1_000_000_000,
      staked_energy_sun: TWENTY_ORDERS_SUN,
    });
    await world.addKey('small', address.base58, 'delegate', privateKey.toLowerCase());
    await world.app.app.get(PoolAdmin).setState('pool', 'paused');
    // The reading is of a solid block: until it knows the new account, the wallet has nothing.
    await world.node('control/block', { count: 6 });
    const answers = await fiftyOrders(await world.caller());
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
    expectTwenty(answers, 'INSUFFICIENT_ENERGY');
    expect(instances).toHaveLength(2);
  });
});

function expectTwenty(answers: Answer[], refusal: string): void {
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ headers }) => headers.get('x-error-code')))).toEqual(new Set([refusal]));
  expect(new Set(answers.map(({ body }) => body['txid'])).size).toBe(21);
}
