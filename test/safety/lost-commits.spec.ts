import { expectActivationTruth } from '../support/activation-truth';
import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { DatabaseProxy } from '../support/database-proxy';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import { until } from '../support/until';
import { COMMIT_KINDS, commitKind, noCommits, tallied } from './commit-kinds';

const FULL = 1_000;
const CUTS = countOf(FULL, 100);
const BALANCE = 100_000;
const AT_ONCE = 10;
/** So many of all cuts at least, of what the service commits. */
const LEAST = {
  ...noCommits(),
  order: CUTS / 10,
  activation: CUTS / 50,
  answer: CUTS / 10,
  settlement: CUTS / 10,
  reclaim: CUTS / 10,
};
/** Each tenth order has its receiver activated. */
const EACH_ACTIVATES = 10;

describe('a connection to the database that is cut at a commit', () => {
  let world: OrderWorld;
  let proxy: DatabaseProxy;
  let callers: Caller[];
  /** One order each: of an account with several activations that came to nothing, more are refused. */
  let activators: Caller[];
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      env: { RECLAIM_DELAY: '1s', RECLAIM_SWEEP: '1s', ANSWER_TIMEOUT: '3s' },
      databaseUrl: (url) => (proxy = new DatabaseProxy(url)).open(),
    });
    // Callers are different users, or none of their orders would be written together.
    callers = await Promise.all(Array.from({ length: AT_ONCE }, () => world.caller({ balance: BALANCE })));
    activators = await Promise.all(
      Array.from({ length: 10 + CUTS / EACH_ACTIVATES }, () => world.caller({ balance: 100 })),
    );
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  /** As a caller who was told to try again: the same key, until the answer is one about an order. */
  async function order(key: string, caller: Caller, activates = false): Promise<Answer> {
    const body = { receiver_address: await world.receiver(!activates), amount: 1, activate_address: activates };
    return until(`an answer for ${key}`, async () => {
      const answer = await world.delegate(caller, body, { 'idempotency-key': key });
      return answer.headers.get('x-delegation-id') !== null && answer;
    });
  }

  const balanceOf = async (caller: Caller) =>
    ((await world.get(caller, '/api/user/balance')).body['data'] as { balance: number }).balance;

  it(
    'in any transaction and any statement, done or not, loses and doubles no order, charge or reclaim',
    async () => {
      const [commits, cut] = [noCommits(), noCommits()];
      let lost = 0;
      proxy.endOfCommit = (statements) => {
        const ofKind = (commits[commitKind(statements)] += 1);
        if (ofKind % 3 !== 0) return 'passes';
        if (ofKind % 12 !== 0) return 'is not acknowledged';
        lost += 1;
        return 'is lost';
      };
      proxy.onUnacknowledged = (statements) => (cut[commitKind(statements)] += 1);
      // Those that never reach the server come on top.
      const cuts = () => COMMIT_KINDS.reduce((sum, kind) => sum + cut[kind], 0);
      const areEnough = () => cuts() >= CUTS && COMMIT_KINDS.every((kind) => cut[kind] >= LEAST[kind]);
      const answers: Answer[] = [];
      const activating: { caller: Caller; answer: Answer }[] = [];
      let orders = 0;
      // Settlements and reclaims go on meanwhile.
      const many = callers.map(async (caller) => {
        while (!areEnough()) {
          const key = `order ${++orders}`;
          const activator = orders % EACH_ACTIVATES === 0 && activators.pop();
          if (activator) activating.push({ caller: activator, answer: await order(key, activator, true) });
          else answers.push(await order(key, caller));
        }
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
      const activated = await expectActivationTruth(world);
      const answered = [...answers, ...activating.map(({ answer }) => answer)];
      expect(answered.map(({ status, headers }) => `${headers.get('x-delegation-id')} ${status}`).toSorted()).toEqual(
        settled.map(({ id, answer }) => `${id} ${answer === 'success' ? 200 : 500}`).toSorted(),
      );
      expect(settled).toHaveLength(orders);
      const charged = new Set(settled.filter(({ hold }) => hold === 'taken').map(({ id }) => id));
      const isCharged = ({ headers }: Answer) => charged.has(headers.get('x-delegation-id')!);
      const left = await Promise.all(callers.map(balanceOf));
      expect(left.reduce((sum, balance) => sum + balance)).toBe(
        AT_ONCE * BALANCE - 3 * answers.filter(isCharged).length,
      );
      for (const { caller, answer } of activating) expect(await balanceOf(caller)).toBe(isCharged(answer) ? 95.5 : 100);
      for (const kind of COMMIT_KINDS) expect([kind, cut[kind] >= LEAST[kind]]).toEqual([kind, true]);
      const seen = `${orders} orders, ${charged.size} charged and delegated once each, ${activated} receivers activated; ${lost} commits lost, ${cuts()} done without a word: ${tallied(cut)}`;
      record(9, 'cuts between COMMIT and its acknowledgement', cuts(), FULL, seen);
    },
    timeFor(CUTS, 1_000),
  );
});
