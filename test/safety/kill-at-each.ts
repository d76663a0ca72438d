import type { CrashPoint } from '../../config/crash-point';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { countOf, record, timeFor } from '../support/bar';
import { ensureBuild } from '../support/build';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { chainTimeToEnd, headMs } from '../support/chain-time';
import { CrashTrigger } from '../support/crash-trigger';
import { HeldCommits } from '../support/held-commits';
import { OrderCrowd } from '../support/order-crowd';
import { OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
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
/** Orders for each crash point; a kill for each fifty of them. */
const ORDERS = countOf(FULL, 3);
const AT_ONCE = Math.min(Math.max(ORDERS, 3), 50);
const ROUNDS = Math.ceil(ORDERS / AT_ONCE);
/** In a round that ends as it does by itself. */
const FEW = 10;
const MOST_CHAIN_MS = 300_000;

/** Reached with the first commits: of all orders if their instance is fast enough, now and then of the first one alone. */
const BY_THE_FIRST: readonly CrashPoint[] = [
  'after-order-commit',
  'before-delegation-broadcast',
  'during-delegation-broadcast',
  'after-delegation-broadcast',
  'after-broadcast-commit',
];
const SEVERAL = 2;
const BEFORE_ANY: readonly CrashPoint[] = ['receiver-read', 'after-signature', 'before-order-commit'];

/** In the full run, one world for each point: the more orders a world has, the longer it takes to look at all of them. */
const [before, after] = ROUNDS > 1 ? [beforeEach, afterEach] : [beforeAll, afterAll];

/** Two specs call it, each for a part of the points, so that these can be tried side by side. */
export function killAtEach(points: readonly CrashPoint[]): void {
  let world: OrderWorld;
  let receiver: WebhookReceiver;
  let trigger: CrashTrigger;
  /** Took over at the last point, and is killed at the next one: a start costs more than all else there. The full run starts each one. */
  let standing: ServiceChild | undefined;
  /** How many orders had begun at each of those points, on the average of its kills. */
  const byTheFirst: number[] = [];
  beforeAll(() => ensureBuild());
  afterAll(() => {
    const sum = byTheFirst.reduce((one, other) => one + other, 0);
    expect(sum).toBeGreaterThanOrEqual(SEVERAL * byTheFirst.length);
  });
  before(async () => {
    receiver = await WebhookReceiver.open();
    trigger = new CrashTrigger();
    world = await OrderWorld.open({
      block: 150,
      backgroundWork: false,
      env: { RECLAIM_DELAY: '1ms', RECLAIM_SWEEP: '100ms', ANSWER_TIMEOUT: '3s', WEBHOOK_ALLOW_PRIVATE: 'on' },
    });
  });
  after(async () => {
    const code = (await standing?.stop('SIGTERM'))?.code;
    standing = undefined;
    await world.close();
    receiver.close();
    trigger.close();
    if (ROUNDS === 1) expect(code).toBe(0);
  });

  it.each(points)(
    'at %s leaves nothing lost, doubled, untold or charged for nothing',
    async (point) => {
      const sum = { orders: 0, begun: 0, told: 0, charged: 0 };
      const least = { begun: AT_ONCE };
      for (let round = 0; round < ROUNDS; round++) {
        const crowd = await OrderCrowd.gather(world, `${point}-${round}`, AT_ONCE);
        const { begun, told, charged } = await killAndRestart(point, crowd, endedByHand);
        sum.orders += crowd.orders.length;
        sum.begun += begun;
        sum.told += told;
        sum.charged += charged;
        least.begun = Math.min(least.begun, begun);
      }
      if (BY_THE_FIRST.includes(point)) byTheFirst.push(sum.begun / ROUNDS);
      const unaided = ROUNDS > 1 ? `; ${await endsByItself(point)}` : '';
      const seen = `${point}: ${ROUNDS} kills, ${sum.begun} orders begun before them (each time at least ${least.begun} of ${AT_ONCE}), ${sum.told} answered, ${sum.charged} charged in the end`;
      record(2, 'orders at each crash point', sum.orders, FULL, seen + unaided);
    },
    timeFor(ORDERS, 5_000) + 300_000,
  );

  /** Once more, with leases and waits as long as they are. */
  async function endsByItself(point: CrashPoint): Promise<string> {
    const crowd = await OrderCrowd.gather(world, `${point}-unaided`, FEW);
    let took = { decidedMs: Infinity, backMs: Infinity };
    await killAndRestart(point, crowd, async (killedMs) => {
      took = await chainTimeToEnd(world, killedMs);
    });
    expect(took.decidedMs).toBeLessThanOrEqual(MOST_CHAIN_MS);
    const [decided, back] = [took.decidedMs, took.backMs].map((ms) => `${(ms / 1_000).toFixed(0)} s`);
    return `nothing ended by hand, every order charged or free after ${decided} on chain, all back after ${back}`;
  }

  async function killAndRestart(point: CrashPoint, crowd: OrderCrowd, end: (killedMs: number) => Promise<void>) {
    const path = `/${crowd.run}`;
    const tooEarly = watchCommits(world, receiver, path);
    const webhooks = world.app.app.get(WebhookService);
    for (const userId of crowd.userIds) await webhooks.create({ userId, url: receiver.url(path) });
    const killed = await startTo(point);
    await placeUntilKilled(point, crowd, killed);
    const killedMs = await headMs(world);
    const told = crowd.toldCount;
    const begun = await countBegun(crowd);
    expect(begun).toBeGreaterThanOrEqual(leastBegun(point, crowd.orders.length));
    const byHand = end === endedByHand;
    if (byHand) await age();
    const successor = await world.startProcess(ROUNDS > 1 ? {} : trigger.env);
    // Meanwhile no lease is aged: these claims are not a dead instance's.
    await crowd.askAll(successor);
    await end(killedMs);
    await untilSettled(world.app.sql);
    const orders = await expectChainTruth(world);
    const charged = await expectReplays(crowd, orders, successor);
    expect(await countBegun(crowd)).toBe(crowd.orders.length);
    const allDelivered = async () => {
      if (byHand) await age();
      return (await world.query(`select 1 from webhook_deliveries where state <> 'delivered' limit 1`)).length === 0;
    };
    await until('every event delivered', allDelivered);
    await expectEventsDelivered(world, receiver, path, crowd.userIds);
    expect(tooEarly).toEqual([]);
    // An attempt that a crash has interrupted does not count in the schedule.
    expect(await world.query('select 1 from webhook_deliveries where attempts > 1')).toEqual([]);
    if (ROUNDS > 1) expect((await successor.stop('SIGTERM')).code).toBe(0);
    else standing = successor;
    return { begun, told, charged };
  }

  async function startTo(point: CrashPoint): Promise<ServiceChild> {
    if (ROUNDS > 1) return world.startProcess({ CRASH_AT: point });
    const child = standing ?? (await world.startProcess(trigger.env));
    standing = undefined;
    await trigger.set(child, point);
    return child;
  }

  async function placeUntilKilled(point: CrashPoint, crowd: OrderCrowd, killed: ServiceChild): Promise<void> {
    const dies = point === 'before-release-commit';
    if (dies) await broadcasts('busy');
    const placed = BY_THE_FIRST.includes(point)
      ? crowd.placeHeld(killed, await HeldCommits.begin(world))
      : crowd.placeAll(killed);
    if (dies) await expireUnsent(crowd.orders.length / 2);
    await Promise.all([placed, killed.ended]);
    if (dies) await broadcasts('none');
    expect(killed.process.signalCode).toBe('SIGKILL');
    // What it had sent to the database is still carried out there.
    const underWay = `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')`;
    await until('its last transactions are over', async () => (await world.query(underWay)).length === 0);
  }

  async function countBegun(crowd: OrderCrowd): Promise<number> {
    const text = `select count(*)::integer as orders from delegations where user_id = any($1)`;
    return Number((await world.query(text, [crowd.userIds]))[0]!['orders']);
  }

  /** Were fewer committed before the kill, it would have met something else. */
  function leastBegun(point: CrashPoint, asked: number): number {
    if (BEFORE_ANY.includes(point)) return 0;
    return BY_THE_FIRST.includes(point) ? 1 : asked / 2;
  }

  const age = async () => {
    for (const statement of AGE) await world.query(statement);
  };

  const areAll = (text: string) => async () => {
    await age();
    return (await world.query(text)).length === 0;
  };

  async function endedByHand(): Promise<void> {
    const open = `select 1 from delegations d where state not in ('failed', 'reclaimed', 'taken_back') and answer = 'success'
      union all select 1 from chain_transactions where state in ('sent', 'included')`;
    await until('everything settled', areAll(open));
    // What was never sent dies by block time.
    await world.control('clock', { ms: 61_000 });
    const notBack = `select 1 from delegations where state not in ('failed', 'reclaimed', 'taken_back')`;
    await until('everything settled and taken back', areAll(notBack));
  }

  /** The same key asks what became of the order: a success if it was charged, else a failure; and the money is as before. */
  async function expectReplays(
    crowd: OrderCrowd,
    orders: Awaited<ReturnType<typeof expectChainTruth>>,
    successor: ServiceChild,
  ): Promise<number> {
    const rows = new Map(orders.map((row) => [row.id, row]));
    let charged = 0;
    for (const order of crowd.orders) {
      const answer = await crowd.ask(order, successor);
      const row = rows.get(answer?.headers.get('x-delegation-id') ?? '');
      expect([order.key, row?.tx_id]).toEqual([order.key, answer?.body['txid'] ?? row?.tx_id ?? null]);
      expect([order.key, answer?.status]).toEqual([order.key, row!.hold === 'taken' ? 200 : 500]);
      if (row!.hold === 'taken') charged += 1;
    }
    expect(crowd.contradictions).toEqual([]);
    await expectChainTruth(world);
    return charged;
  }

  const broadcasts = (kind: 'busy' | 'none') =>
    world.control('fault', { route: 'wallet/broadcasttransaction', kind, count: 100_000 });

  /** Bytes that no node takes, of so many orders at least, and time. */
  async function expireUnsent(least: number): Promise<void> {
    const saved = `select 1 from chain_transactions where state = 'saved' and purpose = 'delegation' having count(*) >= ${least}`;
    await world.untilRow(saved);
    await world.control('clock', { ms: 61_000 });
  }
}
