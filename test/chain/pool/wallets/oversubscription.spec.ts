import { utils } from 'tronweb';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { DatabaseErrors } from '../../../support/database-errors';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';

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

  async function fiftyOrders(...callers: Caller[]): Promise<Answer[]> {
    const receiver = await world.receiver();
    const order = (_: unknown, at: number) =>
      world.delegate(callers[at % callers.length]!, { receiver_address: receiver, amount: 1 }, {}, instances[at % 2]);
    return Promise.all(Array.from({ length: 50 }, order));
  }

  /** The only wallet that takes orders. */
  async function addOnlyWallet(name: string, stakeSun: number): Promise<void> {
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: stakeSun });
    await world.query(`update pool_wallets set state = 'paused' where role = 'delegate' returning id`);
    await world.addKey(name, address.base58, 'delegate', privateKey.toLowerCase());
    // The reading is of a solid block: until it knows the new account, the wallet has nothing.
    await world.node('control/block', { count: 6 });
    await world.untilRow(`select 1 from pool_wallets where name = $1 and delegable_sun > 0`, [name]);
  }

  it('never lends more than a wallet has, and what does not fit causes no error in the database', async () => {
    await addOnlyWallet('small', TWENTY_ORDERS_SUN);
    const errors = instances.map((instance) => new DatabaseErrors(instance));
    // Orders of many accounts, so that they are written together.
    const callers = await Promise.all(Array.from({ length: 50 }, () => world.caller()));
    const answers = await fiftyOrders(...callers);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
    expectTwenty(answers, 'INSUFFICIENT_ENERGY');
    expect(instances).toHaveLength(2);
    expect(errors.flatMap(({ messages }) => messages)).toEqual([]);
  });

  it('nor does it lend, or raise an error, when each order activates its receiver', async () => {
    await addOnlyWallet('smaller', TWENTY_ORDERS_SUN / 10);
    const errors = instances.map((instance) => new DatabaseErrors(instance));
    const order = async (_: unknown, at: number) => {
      const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
      return world.delegate(await world.caller(), body, {}, instances[at % 2]);
    };
    const answers = await Promise.all(Array.from({ length: 12 }, order));
    const codes = answers.map(({ headers }) => headers.get('x-error-code') ?? 'success');
    expect(codes.sort()).toEqual([...Array(10).fill('INSUFFICIENT_ENERGY'), ...Array(2).fill('success')]);
    // On a busy machine a turn at the wallet can take longer than an order with an activation waits in one attempt.
    const unexpected = errors.flatMap(({ messages }) => messages).filter((text) => !text.includes('lock timeout'));
    expect(unexpected).toEqual([]);
  });
});

function expectTwenty(answers: Answer[], refusal: string): void {
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ headers }) => headers.get('x-error-code')))).toEqual(new Set([refusal]));
  expect(new Set(answers.map(({ body }) => body['txid'])).size).toBe(21);
}
