import { BlockPace } from '../support/block-pace';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const CALLERS = 20;
const KILLS = 6;
/** Events written between two kills, at most: an order alone has some five events. */
const MOST_EVENTS = 300;
/** Each kill allows each caller so many more, so that a slow start leaves some for the next one; the pool can lend some 1,400 orders' energy. */
const MOST_ORDERS = 9;

describe('instances that are killed at any moment, with orders that are written together', () => {
  let world: OrderWorld;
  let instances: ServiceChild[];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 300, env: { DELEGATION_ANSWER: 'accepted', ANSWER_TIMEOUT: '5s' } });
    instances = [await world.startProcess(), await world.startProcess()];
  });
  afterAll(() => world.close());

  /** As a caller who got no answer: the same key again, at whichever instance is next, until there is one about an order. */
  async function order(caller: Caller, key: string, receiver: string): Promise<Answer> {
    const body = { receiver_address: receiver, amount: 1 };
    let attempt = 0;
    const find = async () => {
      const instance = instances[attempt++ % instances.length]!;
      const answer = await world.delegate(caller, body, { 'idempotency-key': key }, instance).catch(() => null);
      return answer?.headers.get('x-delegation-id') ? answer : null;
    };
    // The instance that takes a dead one's order over waits for its lease, and may be killed too.
    return until(`an answer for ${key}`, find);
  }

  const countEvents = async () =>
    Number((await world.query('select count(*) as events from delegation_events'))[0]!['events']);

  it('lose and double no order, and answer each caller with what stands', async () => {
    const receivers = await Promise.all(Array.from({ length: CALLERS }, () => world.receiver()));
    const answers: Answer[] = [];
    const pace = new BlockPace(world);
    let killing = true;
    let allowed = 0;
    const callers = receivers.map(async (receiver, at) => {
      const caller = await world.caller({ balance: 3_000, ...(at % 3 === 0 && { subscription: 30 }) });
      for (let orders = 0; killing;) {
        if (orders < allowed) answers.push(await order(caller, `${at} ${orders++}`, receiver));
        await pace.nextBlock();
      }
    });
    for (let kill = 0; kill < KILLS; kill++) {
      allowed += MOST_ORDERS;
      const events = (await countEvents()) + Math.ceil(Math.random() * MOST_EVENTS);
      await until('some more events', async () => (await countEvents()) >= events);
      await instances[kill % 2]!.stop('SIGKILL');
      instances[kill % 2] = await world.startProcess();
    }
    killing = false;
    await Promise.all(callers);
    // What was never sent is dead by block time.
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    const settled = await expectChainTruth(world);
    const answered = answers.map(({ status, headers }) => `${headers.get('x-delegation-id')} ${status === 200}`);
    expect(answered.toSorted()).toEqual(settled.map(({ id, answer }) => `${id} ${answer === 'success'}`).toSorted());
    expect(answers.length).toBeGreaterThan(CALLERS * 2);
    const together = `select 1 from delegation_events where kind = 'ordered' group by xmin::text having count(*) > 1`;
    expect((await world.query(together)).length).toBeGreaterThan(0);
    const repeated = `select 1 from delegation_events where kind in ('ordered', 'answered') group by delegation_id, kind having count(*) > 1`;
    expect(await world.query(repeated)).toEqual([]);
  });
});
