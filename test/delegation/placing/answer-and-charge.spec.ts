import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { HeldLock } from '../../support/held-lock';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';

const BROADCAST = 'wallet/broadcasttransaction';
const BUSY = JSON.stringify({ code: 'SERVER_BUSY', message: '' });

/** The node took the bytes and says that it did not; the chain carries the order out, whatever the caller hears. */
describe('a failure that meets the settlement of its order', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  /** It takes the orders; another one follows the chain. */
  let instance: TestApp;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
    await world.control('block', { count: 6 });
    instance = await world.startInstance({ DELEGATION_ANSWER: 'accepted' }, false);
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  interface Order {
    readonly id: string;
    readonly user: string;
    readonly answer: Promise<Answer>;
    readonly refuse: () => void;
  }

  /** Pending on the chain; its instance waits for the node's reply. */
  async function place(): Promise<Order> {
    let refuse!: () => void;
    const held = new Promise<void>((resolve) => (refuse = resolve));
    proxy.after = async ({ route }, answer) => (route === BROADCAST ? (await held, BUSY) : answer);
    const caller = await world.caller({ balance: 10 });
    const answer = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, instance);
    await world.untilPending();
    const { id } = await world.untilRow(`select id from delegations where user_id = $1`, [caller.id]);
    return { id: String(id), user: caller.id, answer, refuse };
  }

  async function settled(): Promise<void> {
    proxy.after = (_call, answer) => answer;
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  }

  it('and is committed while that waits for it: nothing is charged, and the energy comes back', async () => {
    const order = await place();
    await world.control('block');
    await world.untilState(order.id, 'included');
    const account = `select 1 from accounts where user_id = $1 for update`;
    const lock = await HeldLock.take(world.database.url, account, [order.user]);
    let other: Order;
    try {
      order.refuse();
      // Answered, and not committed before its money is free.
      await lock.untilWaiting(1);
      other = await place();
      await world.control('block', { count: 6 });
      // It waits for the order, or goes on with those that it can have.
      await Promise.race([lock.untilWaiting(2), world.untilState(other.id, 'delegated')]);
    } finally {
      // Whatever has failed: the service does not end while a request waits for it.
      await lock.release();
    }
    expect((await order.answer).headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    await world.untilState(order.id, 'taking_back');
    await world.untilPending();
    other.refuse();
    await other.answer;
    await world.control('block', { count: 6 });
    await world.untilState(order.id, 'taken_back');
    await settled();
  });

  it('and comes after it stops being a failure: the order was charged, and its caller hears of a success', async () => {
    const order = await place();
    await world.control('block', { count: 6 });
    await world.untilState(order.id, 'delegated');
    order.refuse();
    expect((await order.answer).status).toBe(200);
    expect(await world.show(order.id)).toMatchObject({ state: 'delegated', answer: 'success', cost_sun: 3_000_000n });
    await settled();
  });

  it('is sent again no more than an order that was never answered; one answered with success is', async () => {
    const caller = await world.caller();
    const lost = async (kind: string) => {
      await world.control('fault', { route: BROADCAST, kind, count: 1 });
      const body = { receiver_address: await world.receiver(), amount: 1 };
      return (await world.delegate(caller, body, {}, instance)).headers.get('x-delegation-id')!;
    };
    const [failed, unanswered, succeeded] = [
      await lost('SERVER_BUSY'),
      await lost('accept-then-drop'),
      await lost('accept-then-drop'),
    ];
    // Its instance died before it could answer.
    const none = `update delegations set answer = 'none', answer_code = null, answered_at = null where id = $1 returning id`;
    await world.query(none, [unanswered]);
    const age = `update chain_transactions set created_at = now() - interval '10 seconds', last_sent_at = null
                  where subject_id = any($1) returning id`;
    await world.query(age, [[failed, unanswered, succeeded]]);
    const sent = `select 1 from chain_transactions where subject_id = $1 and last_sent_at is not null`;
    await world.untilRow(sent, [succeeded]);
    for (const id of [failed, unanswered]) expect(await world.query(sent, [id])).toEqual([]);
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: 6 });
    await settled();
  });
});
