import { Newcomers } from '../../../src/users/newcomers';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const NETWORK = '203.0.113.7';

describe('activations of accounts that have signed up by themselves and paid for nothing yet', () => {
  let world: OrderWorld;
  let second: TestApp;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', env: { ANSWER_TIMEOUT: '60s' } });
    await world.control('block', { count: 30 });
    second = await world.startInstance();
  });
  afterAll(() => world?.close());

  const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';
  async function order(by: Caller, app: TestApp): Promise<string> {
    const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
    return code(await world.delegate(by, body, {}, app));
  }
  const underWay = async (by: readonly Caller[]) =>
    (await world.query('select id from delegations where user_id = any($1)', [by.map(({ id }) => id)])).length;
  /** Blocks until all of them are answered. */
  async function finish<T>(orders: Promise<T>): Promise<T> {
    let answered = false;
    void orders.finally(() => (answered = true));
    await until('all are answered', async () => {
      await world.control('block');
      return answered;
    });
    return orders;
  }

  it('are three under way for all of a network, from the first moment on, and any number one after the other', async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => world.caller({ balance: 1000, signUpNetwork: NETWORK })));
    const elsewhere = await world.caller({ balance: 1000, signUpNetwork: '203.0.113.8' });
    const known = await world.caller({ balance: 1000 });
    const codes: string[] = [];
    const burst = accounts.flatMap((by, at) =>
      Array.from({ length: 3 }, async () => codes.push(await order(by, at % 2 ? second : world.app))),
    );
    await until('six are refused', async () => codes.length === 6);
    expect(codes).toEqual(Array.from({ length: 6 }, () => 'ACTIVATION_UNAVAILABLE'));
    expect(await underWay(accounts)).toBe(3);
    const others = [order(elsewhere, world.app), ...Array.from({ length: 4 }, () => order(known, second))];
    await finish(Promise.all([...burst, ...others]));
    expect(codes.filter((one) => one === 'success')).toHaveLength(3);
    expect(await Promise.all(others)).toEqual(Array.from({ length: 5 }, () => 'success'));
    expect(await finish(order(accounts[0]!, second))).toBe('success');
  });

  it('are those of any account from the first charge on', async () => {
    const by = await world.caller({ balance: 1000, signUpNetwork: '203.0.113.9' });
    const newcomers = world.app.app.get(Newcomers);
    expect(await newcomers.networkOf(by.id)).toBe('203.0.113.9');
    expect(await finish(order(by, world.app))).toBe('success');
    await until('it is charged', async () => {
      await world.control('block');
      return (await newcomers.networkOf(by.id)) === null;
    });
  });
});
