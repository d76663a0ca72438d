import { Clock } from '../../../../src/common/clock';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { MovableClock } from '../../../support/movable-clock';
import { NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
/** A node call is given up after 3 s, and the wait for a block after ANSWER_TIMEOUT; no caller meets more of them than this. */
const BOUND_MS = 15_000;
/** A node that failed is left alone for up to half a minute. */
const REST_MS = 31_000;

type Hang = (proxy: NodeProxy) => void;
const HANGS: [string, Hang][] = [
  ['never answers', (proxy) => (proxy.before = NodeProxy.HANG)],
  ['never ends an answer', (proxy) => (proxy.stalls = () => true)],
  [
    'never answers a broadcast, which it did not take',
    (proxy) => (proxy.before = ({ route }) => (route === BROADCAST ? NodeProxy.HANG() : undefined)),
  ],
  [
    'never ends its answer to a broadcast, which it took',
    (proxy) => (proxy.stalls = ({ route }) => route === BROADCAST),
  ],
];
const restore: Hang = (proxy) => {
  proxy.before = () => undefined;
  proxy.stalls = () => false;
};

describe('a node that hangs', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let caller: Caller;
  let nodes: NodeProxy[];
  async function open(count: number, env: Record<string, string> = {}): Promise<void> {
    nodes = [];
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      env: { ANSWER_TIMEOUT: '5s', ...env },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = Array.from({ length: count }, () => new NodeProxy(url));
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    caller = await world.caller();
  }
  async function close(): Promise<void> {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  }
  async function place(): Promise<Answer & { ms: number }> {
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const startedMs = performance.now();
    const answer = await world.delegate(caller, body);
    return { ...answer, ms: performance.now() - startedMs };
  }
  const crowd = (count = 10) => Promise.all(Array.from({ length: count }, place));
  async function settled(): Promise<void> {
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    const orders = await expectChainTruth(world);
    const signed = await world.query(`select count(*) as n from chain_transactions where purpose = 'delegation'`);
    expect(signed).toEqual([{ n: BigInt(orders.length) }]);
    await until('orders go through', async () => (await place()).status === 200);
  }

  describe('beside one that works', () => {
    beforeAll(() => open(2));
    afterAll(close);

    it.each(HANGS)('and %s costs no order, no second signature and no second delegation', async (what, hang) => {
      const [first] = nodes as [NodeProxy];
      first.calls.length = 0;
      // What was slow about it counts for five minutes, while nothing else is asked of it.
      await until('the first node is in use', async () => {
        clock.advance(REST_MS);
        return (await place()).status === 200 && first.count('wallet/getaccount') > 0;
      });
      hang(first);
      const answers = await crowd();
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(BOUND_MS);
      // Once it is known, one caller at a time finds out whether it is back.
      clock.advance(REST_MS);
      first.calls.length = 0;
      const later = await crowd();
      expect(later.map(({ status }) => status)).toEqual(answers.map(() => 200));
      if (!what.includes('broadcast')) expect(first.calls.length).toBeLessThan(8);
      restore(first);
      await settled();
    });
  });

  describe('with more callers than connections', () => {
    const outcomes = (answers: Answer[]) => new Set(answers.map(({ headers }) => headers.get('x-error-code')));
    /** Those that were under way, and now and then one that finds out whether it is back; never one after the other of those that wait. */
    const MOST_CALLS = 15;
    beforeEach(() => open(2, { NODE_CONNECTIONS: '5' }));
    afterEach(close);

    it('sends those that wait for it to the other one', async () => {
      const [first] = nodes as [NodeProxy];
      await place();
      first.before = NodeProxy.HANG;
      first.calls.length = 0;
      expect(outcomes(await crowd(40))).toEqual(new Set([null]));
      expect(first.calls.length).toBeLessThan(MOST_CALLS);
      restore(first);
      await settled();
    });

    it('refuses those that wait when the other one hangs too, without asking for each of them', async () => {
      await place();
      for (const node of nodes) [node.before, node.calls.length] = [NodeProxy.HANG, 0];
      expect(outcomes(await crowd(40))).toEqual(new Set(['NODE_UNAVAILABLE']));
      for (const node of nodes) expect(node.calls.length).toBeLessThan(MOST_CALLS);
      for (const node of nodes) restore(node);
      clock.advance(REST_MS);
      await until('orders go through', async () => (await place()).status === 200);
    });
  });

  describe('and is the only one', () => {
    beforeAll(() => open(1));
    afterAll(close);

    it.each(HANGS.slice(0, 2))(
      'and %s: callers are answered so in bounded time, and nothing is written',
      async (_, hang) => {
        await place();
        const before = await world.query('select count(*) as n from delegations');
        hang(nodes[0]!);
        const answers = await crowd();
        expect(new Set(answers.map(({ headers }) => headers.get('x-error-code')))).toEqual(
          new Set(['NODE_UNAVAILABLE']),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
        expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(BOUND_MS);
        expect(await world.query('select count(*) as n from delegations')).toEqual(before);
        restore(nodes[0]!);
        clock.advance(REST_MS);
        await until('orders go through', async () => (await place()).status === 200);
        await settled();
      },
    );

    it.each([
      ['before it took an order', false, 'failed'],
      ['after it took an order', true, 'taken_back'],
    ])(
      'and hangs altogether %s: its caller is answered in bounded time that the outcome is unknown',
      async (_, took, end) => {
        await place();
        let hangs = false;
        nodes[0]!.before = ({ route }) => {
          const isFirst = route === BROADCAST && !hangs;
          hangs ||= isFirst;
          return !hangs || (isFirst && took) ? undefined : NodeProxy.HANG();
        };
        nodes[0]!.stalls = () => hangs;
        const answer = await place();
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([500, 'OUTCOME_UNKNOWN']);
        expect(answer.ms).toBeLessThan(BOUND_MS);
        restore(nodes[0]!);
        if (!took) await world.control('clock', { ms: 61_000 });
        await world.untilState(answer.headers.get('x-delegation-id')!, end);
        await settled();
      },
    );
  });
});
