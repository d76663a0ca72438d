import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const NETWORK = '203.0.113.7';

describe('orders of accounts that have signed up by themselves', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', env: { ANSWER_TIMEOUT: '60s' } });
    await world.control('block', { count: 30 });
  });
  afterAll(() => world?.close());

  const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';
  async function activate(by: Caller): Promise<string> {
    const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
    return code(await world.delegate(by, body));
  }
  const activations = () => world.query(`select id from chain_transactions where purpose = 'activation'`);

  it('have no activation before money was booked, and from then on as many at a time as any account', async () => {
    const without = await world.caller({ signUpNetwork: NETWORK });
    expect(await activate(without)).toBe('INSUFFICIENT_BALANCE');
    expect(await activations()).toEqual([]);
    const credited = await Promise.all([1, 2].map(() => world.caller({ balance: 1000, signUpNetwork: NETWORK })));
    const orders = Promise.all(credited.flatMap((by) => [activate(by), activate(by), activate(by)]));
    let answered = false;
    void orders.finally(() => (answered = true));
    await until('all are answered', async () => {
      await world.control('block');
      return answered;
    });
    expect(await orders).toEqual(Array.from({ length: 6 }, () => 'success'));
  });
});
