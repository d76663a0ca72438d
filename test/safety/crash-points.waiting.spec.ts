import { CRASH_POINTS, type CrashPoint } from '../../src/common/crash-point';
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

describe('a process that is killed', () => {
  let world: OrderWorld;
  let caller: Caller;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    ensureBuild();
    receiver = await WebhookReceiver.open();
    world = await OrderWorld.open({
      block: 150,
      backgroundWork: false,
      env: { RECLAIM_DELAY: '1ms', RECLAIM_SWEEP: '100ms', ANSWER_TIMEOUT: '3s', WEBHOOK_ALLOW_PRIVATE: 'on' },
    });
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
  });

  /** Orders of several sizes, one of them with an activation, none of them surely answered. */
  async function placeOrders(url: string, run: string): Promise<void> {
    const bodies: Record<string, unknown>[] = [
      { receiver_address: await world.receiver(false), amount: 1, activate_address: true },
    ];
    while (bodies.length < Math.max(AT_ONCE, 3))
      bodies.unshift({ receiver_address: await world.receiver(), amount: bodies.length % 2 === 1 ? 2.5 : 1 });
    await Promise.allSettled(
      bodies.map((body, at) => world.delegate(caller, body, { 'idempotency-key': `${run}-${at}` }, { url })),
    );
  }

  it.each(CRASH_POINTS)(
    'at %s leaves nothing lost, doubled, untold or charged for nothing',
    async (point) => {
      for (let round = 0; round < ROUNDS; round++) {
        // Of an account with several, activations that come to nothing are refused.
        caller = await world.caller({ balance: 100_000 });
        await killAndRestart(point, round);
      }
      record(2, 'orders at each crash point', ORDERS, FULL, `${point}: ${ROUNDS} kills, rows and chain agree`);
    },
    timeFor(ORDERS, 5_000),
  );

  async function killAndRestart(point: CrashPoint, round: number): Promise<void> {
    const run = `${point}-${round}`;
    const tooEarly = watchCommits(world, receiver, `/${run}`);
    await world.app.app.get(WebhookService).create({ userId: caller.id, url: receiver.url(`/${run}`) });
    const killed = await world.startProcess({ CRASH_AT: point });
    const ended = killed.ended;
    const placed = placeOrders(killed.url, run);
    if (point === 'before-release-commit') await expireUnsent();
    await Promise.race([ended, placed.then(() => ended)]);
    await placed;
    expect(killed.process.signalCode).toBe('SIGKILL');

    const successor = await world.startInstance();
    await until('everything settled', async () => {
      for (const statement of AGE) await world.query(statement);
      const open = await world.query(
        `select 1 from delegations d where state not in ('failed', 'reclaimed', 'taken_back') and answer <> 'none'
          union all select 1 from chain_transactions where state in ('sent', 'included')`,
      );
      return open.length === 0;
    });
    // What was never answered and never sent dies by block time.
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
    await expectReplays(run, orders);
    await until('every event delivered', async () => {
      for (const statement of AGE) await world.query(statement);
      return (await world.query(`select 1 from webhook_deliveries where state <> 'delivered'`)).length === 0;
    });
    await expectEventsDelivered(world, receiver, `/${run}`, caller.id);
    expect(tooEarly).toEqual([]);
    // What a crash has interrupted is no attempt of the schedule.
    expect(await world.query('select 1 from webhook_deliveries where attempts > 1')).toEqual([]);
    await world.stopInstance(successor);
  }

  /** The same key asks what became of the order: a success if it was charged, else a failure; and the money is as before. */
  async function expectReplays(run: string, orders: Awaited<ReturnType<typeof expectChainTruth>>): Promise<void> {
    const rows = await world.query(
      `select id, idempotency_key as key, receiver, transactions, activate from delegations where idempotency_key like $1`,
      [`${run}-%`],
    );
    for (const row of rows) {
      const body = {
        receiver_address: row['receiver'],
        amount: String(row['transactions']),
        activate_address: row['activate'],
      };
      const answer = await world.delegate(caller, body, { 'idempotency-key': String(row['key']) });
      const charged = orders.find(({ id }) => id === row['id'])!.hold === 'taken';
      expect([answer.status, answer.headers.get('x-delegation-id')]).toEqual([charged ? 200 : 500, row['id']]);
    }
    await expectChainTruth(world);
  }

  /** Bytes that no node takes, and time. */
  async function expireUnsent(): Promise<void> {
    const route = 'wallet/broadcasttransaction';
    await world.control('fault', { route, kind: 'busy', count: 100_000 });
    await world.untilRow(`select 1 from chain_transactions where state = 'saved' and purpose = 'delegation'`);
    await world.control('clock', { ms: 61_000 });
    await world.control('fault', { route, kind: 'none' });
  }
});
