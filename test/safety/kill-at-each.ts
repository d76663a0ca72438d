import type { CrashPoint } from '../../src/common/crash-point';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { ensureBuild } from '../support/build';
import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type Caller, OrderWorld } from '../support/order-world';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { expectEventsDelivered, watchCommits } from '../support/webhook-truth';

/** What time does without a test having to wait: leases run out, and what was sent a while ago may be sent again. */
const AGE = [
  `update delegations set claimed_until = now() - interval '1 second' where claimed_until is not null returning id`,
  `update delegations set next_attempt_at = now() where next_attempt_at > now() returning id`,
  `update chain_transactions set created_at = created_at - interval '10 seconds', last_sent_at = last_sent_at - interval '10 seconds'
    where state in ('saved', 'sent') returning id`,
  `update webhook_deliveries set claimed_until = now() - interval '1 second' where claimed_until is not null returning id`,
];

const FULL = 1_000;
/** Of each crash point; a kill for each fifty of them. */
const ORDERS = countOf(FULL, 3);
const AT_ONCE = Math.min(ORDERS, 50);
const ROUNDS = Math.ceil(ORDERS / AT_ONCE);

interface Order {
  readonly key: string;
  readonly body: Record<string, unknown>;
}

/** In the full run, one world for each point: the more orders a world has, the longer it takes to look at all of them. */
const [before, after] = ROUNDS > 1 ? [beforeEach, afterEach] : [beforeAll, afterAll];

/** Two specs call it, each for a part of the points, so that these can be tried side by side. */
export function killAtEach(points: readonly CrashPoint[]): void {
  let world: OrderWorld;
  let caller: Caller;
  let receiver: WebhookReceiver;
  beforeAll(() => ensureBuild());
  before(async () => {
    receiver = await WebhookReceiver.open();
    world = await OrderWorld.open({
      block: 150,
      backgroundWork: false,
      env: { RECLAIM_DELAY: '1ms', RECLAIM_SWEEP: '100ms', ANSWER_TIMEOUT: '3s', WEBHOOK_ALLOW_PRIVATE: 'on' },
    });
  });
  after(async () => {
    await world.close();
    receiver.close();
  });

  /** Of several sizes, one of them with an activation; by their keys. */
  async function ordersOf(run: string): Promise<Order[]> {
    const bodies: Order['body'][] = [
      { receiver_address: await world.receiver(false), amount: 1, activate_address: true },
    ];
    while (bodies.length < Math.max(AT_ONCE, 3))
      bodies.unshift({ receiver_address: await world.receiver(), amount: bodies.length % 2 === 1 ? 2.5 : 1 });
    return bodies.map((body, at) => ({ key: `${run}-${at}`, body }));
  }

  const place = ({ key, body }: Order, at?: { url: string }) =>
    world.delegate(caller, body, { 'idempotency-key': key }, at);

  /** As callers do that were not answered: again, until the answer is about an order. */
  const askAgain = (order: Order) =>
    until(
      `an answer for ${order.key}`,
      async () => {
        const answer = await place(order).catch(() => null);
        return answer?.headers.has('x-delegation-id') === true;
      },
      120_000,
    );

  it.each(points)(
    'at %s leaves nothing lost, doubled, untold or charged for nothing',
    async (point) => {
      const sum = { orders: 0, begun: 0, charged: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        // Of an account with several, activations that come to nothing are refused.
        caller = await world.caller({ balance: 100_000 });
        const { orders, begun, charged } = await killAndRestart(point, round);
        sum.orders += orders;
        sum.begun += begun;
        sum.charged += charged;
      }
      const seen = `${point}: ${ROUNDS} kills, ${sum.begun} orders begun before them, ${sum.charged} charged in the end`;
      record(2, 'orders at each crash point', sum.orders, FULL, seen);
    },
    timeFor(ORDERS, 5_000),
  );

  async function killAndRestart(point: CrashPoint, round: number) {
    const run = `${point}-${round}`;
    const tooEarly = watchCommits(world, receiver, `/${run}`);
    await world.app.app.get(WebhookService).create({ userId: caller.id, url: receiver.url(`/${run}`) });
    const killed = await world.startProcess({ CRASH_AT: point });
    const ended = killed.ended;
    const asked = await ordersOf(run);
    const placed = Promise.allSettled(asked.map((order) => place(order, killed)));
    if (point === 'before-release-commit') await expireUnsent();
    await Promise.race([ended, placed.then(() => ended)]);
    await placed;
    expect(killed.process.signalCode).toBe('SIGKILL');

    const ofRun = `select count(*)::integer as orders from delegations where user_id = $1`;
    const begun = Number((await world.query(ofRun, [caller.id]))[0]!['orders']);
    for (const statement of AGE) await world.query(statement);
    const successor = await world.startInstance();
    // Meanwhile nothing is aged: what these have claimed is no dead one's.
    await Promise.all(asked.map(askAgain));
    await until('everything settled', async () => {
      for (const statement of AGE) await world.query(statement);
      const open = await world.query(
        `select 1 from delegations d where state not in ('failed', 'reclaimed', 'taken_back') and answer = 'success'
          union all select 1 from chain_transactions where state in ('sent', 'included')`,
      );
      return open.length === 0;
    });
    // What was never sent dies by block time.
    await world.control('clock', { ms: 61_000 });
    await until('everything settled and taken back', async () => {
      for (const statement of AGE) await world.query(statement);
      return (
        (await world.query(`select 1 from delegations where state not in ('failed', 'reclaimed', 'taken_back')`))
          .length === 0
      );
    });
    await untilSettled(world.app.sql);
    const orders = await expectChainTruth(world);
    const charged = await expectReplays(asked, orders);
    expect(await world.query(ofRun, [caller.id])).toEqual([{ orders: asked.length }]);
    await until('every event delivered', async () => {
      for (const statement of AGE) await world.query(statement);
      return (await world.query(`select 1 from webhook_deliveries where state <> 'delivered'`)).length === 0;
    });
    await expectEventsDelivered(world, receiver, `/${run}`, caller.id);
    expect(tooEarly).toEqual([]);
    // What a crash has interrupted is no attempt of the schedule.
    expect(await world.query('select 1 from webhook_deliveries where attempts > 1')).toEqual([]);
    await world.stopInstance(successor);
    return { orders: asked.length, begun, charged };
  }

  /** The same key asks what became of the order: a success if it was charged, else a failure; and the money is as before. */
  async function expectReplays(
    asked: readonly Order[],
    orders: Awaited<ReturnType<typeof expectChainTruth>>,
  ): Promise<number> {
    let charged = 0;
    for (const order of asked) {
      const answer = await place(order);
      const row = orders.find(({ id }) => id === answer.headers.get('x-delegation-id'));
      expect([order.key, row !== undefined]).toEqual([order.key, true]);
      expect([order.key, answer.status]).toEqual([order.key, row!.hold === 'taken' ? 200 : 500]);
      if (row!.hold === 'taken') charged += 1;
    }
    await expectChainTruth(world);
    return charged;
  }

  /** Bytes that no node takes, and time. */
  async function expireUnsent(): Promise<void> {
    const route = 'wallet/broadcasttransaction';
    await world.control('fault', { route, kind: 'busy', count: 100_000 });
    await world.untilRow(`select 1 from chain_transactions where state = 'saved' and purpose = 'delegation'`);
    await world.control('clock', { ms: 61_000 });
    await world.control('fault', { route, kind: 'none' });
  }
}
