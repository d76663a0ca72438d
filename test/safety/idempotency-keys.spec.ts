import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Answer, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';

const FULL = 1_000;
const KEYS = countOf(FULL, 4);
/** Or orders that all fail would do as well. */
const LEAST_CHARGED = Math.max(1, Math.floor(KEYS * 0.9));
const REQUESTS = 100;
/** Under way together: two hundred requests. */
const AT_ONCE = 2;

describe('an idempotency key with a hundred identical requests at once', () => {
  let world: OrderWorld;
  let instances: ServiceChild[];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: '30s', RECLAIM_DELAY: '1s' },
    });
    instances = [await world.startProcess(), await world.startProcess(), await world.startProcess()];
  });
  afterAll(() => world.close());

  it(
    'has one order, one charge and one answer, on three instances, and nearly every key is charged',
    async () => {
      let next = 0;
      let charged = 0;
      const worker = async () => {
        while (next < KEYS) {
          const key = `key ${next++}`;
          const caller = await world.caller({ balance: 10 });
          const body = { receiver_address: await world.receiver(), amount: 1 };
          const request = (_: unknown, at: number) =>
            world.delegate(caller, body, { 'idempotency-key': key }, instances[at % 3]);
          const answers = await Promise.all(Array.from({ length: REQUESTS }, request));
          expect([...new Set(answers.map(said))]).toHaveLength(1);
          const orders = await world.query('select id, answer from delegations where user_id = $1', [caller.id]);
          expect(orders).toHaveLength(1);
          expect(orders[0]!['id']).toBe(answers[0]!.headers.get('x-delegation-id'));
          const left = ((await world.get(caller, '/api/user/balance')).body['data'] as { balance: number }).balance;
          expect(left).toBe(answers[0]!.status === 200 ? 7 : 10);
          if (left === 7) charged += 1;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      await world.control('clock', { ms: 61_000 });
      await untilSettled(world.app.sql);
      const orders = await expectChainTruth(world);
      expect([orders.length, orders.filter(({ hold }) => hold === 'taken').length]).toEqual([KEYS, charged]);
      expect(charged).toBeGreaterThanOrEqual(LEAST_CHARGED);
      const seen = `${KEYS * REQUESTS} requests, ${orders.length} orders, ${charged} charges, equal answers`;
      record(6, 'keys', KEYS, FULL, seen);
    },
    timeFor(KEYS, 10_000),
  );
});

function said({ status, text, headers }: Answer): string {
  const names = ['x-delegation-id', 'x-delegation-state', 'x-error-code'];
  return [status, text, ...names.map((name) => headers.get(name))].join(' ');
}
