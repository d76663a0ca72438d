import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { DatabaseProxy } from '../support/database-proxy';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const FULL = 1_000;
const CUTS = countOf(FULL, 250);
const BALANCE = 100_000;
const AT_ONCE = 10;

describe('a connection to the database that is cut at a commit', () => {
  let world: OrderWorld;
  let proxy: DatabaseProxy;
  let instance: ServiceChild;
  let callers: Caller[];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      env: { RECLAIM_DELAY: '1s', RECLAIM_SWEEP: '1s', ANSWER_TIMEOUT: '3s' },
      databaseUrl: (url) => (proxy = new DatabaseProxy(url)).open(),
    });
    instance = await world.startProcess();
    // Of different users, or none of their orders would be written together.
    callers = await Promise.all(Array.from({ length: AT_ONCE }, () => world.caller({ balance: BALANCE })));
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  /** As a caller who was told to try again: the same key, until the answer is one about an order. */
  async function order(key: string, caller: Caller): Promise<Answer> {
    const body = { receiver_address: await world.receiver(), amount: 1 };
    return until(`an answer for ${key}`, async () => {
      const answer = await world.delegate(caller, body, { 'idempotency-key': key }, instance);
      return answer.headers.get('x-delegation-id') !== null && answer;
    });
  }

  it(
    'in any transaction and any statement, done or not, loses and doubles no order, charge or reclaim',
    async () => {
      let commits = 0;
      proxy.endOfCommit = () => {
        commits += 1;
        if (commits % 3 !== 0) return 'passes';
        return commits % 12 === 0 ? 'is lost' : 'is not acknowledged';
      };
      const answers: Answer[] = [];
      // Those that never reach the server come on top.
      const cuts = () => proxy.met['is not acknowledged'];
      let orders = 0;
      // Settlements and reclaims go on meanwhile.
      const many = callers.map(async (caller) => {
        while (cuts() < CUTS) answers.push(await order(`order ${++orders}`, caller));
      });
      await Promise.all(many);
      proxy.endOfCommit = () => 'passes';

      // What was never sent is dead by block time; what waits longer before it is tried again need not.
      await world.control('clock', { ms: 61_000 });
      await untilSettled(world.app.sql);
      await until('everything taken back', async () => {
        await world.query(
          `update delegations set next_attempt_at = null, claimed_until = null where state <> 'failed' returning id`,
        );
        const open = await world.query(
          `select 1 from delegations where state not in ('failed', 'reclaimed', 'taken_back')`,
        );
        return open.length === 0;
      });
      await untilSettled(world.app.sql);
      const settled = await expectChainTruth(world);
      const answered = answers.map(({ status, headers }) => `${headers.get('x-delegation-id')} ${status}`);
      expect(answered.toSorted()).toEqual(
        settled.map(({ id, answer }) => `${id} ${answer === 'success' ? 200 : 500}`).toSorted(),
      );
      expect(settled).toHaveLength(orders);
      const charged = settled.filter(({ hold }) => hold === 'taken').length;
      const balances = await Promise.all(callers.map((caller) => world.get(caller, '/api/user/balance')));
      const left = balances.map(({ body }) => (body['data'] as { balance: number }).balance);
      expect(left.reduce((sum, balance) => sum + balance)).toBe(AT_ONCE * BALANCE - 3 * charged);
      const { 'is lost': lost, 'is not acknowledged': unacknowledged } = proxy.met;
      const seen = `${orders} orders, ${charged} charged and lent once each; ${lost} commits lost, ${unacknowledged} done without a word`;
      record(9, 'cuts between COMMIT and its acknowledgement', cuts(), FULL, seen);
    },
    timeFor(CUTS, 1_000),
  );
});
