import { TronWeb } from 'tronweb';
import { Switches } from '../../../src/chain/pool/switches/switches';
import { Clock } from '../../../src/common/clock';
import { RECLAIM_LEASE_MS } from '../../../src/delegation/leases';
import { AbandonedOrders } from '../../../src/delegation/placing/abandoned-orders';
import { ReclaimOrder } from '../../../src/delegation/reclaim/reclaim-order';
import { ReclaimRepository } from '../../../src/delegation/reclaim/reclaim.repository';
import type { DueOrder } from '../../../src/delegation/reclaim/reclaim.statements';
import { ReclaimSweeper } from '../../../src/delegation/reclaim/reclaim.sweeper';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { HeldLock } from '../../support/held-lock';
import { NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';

class CountingClock extends Clock {
  sleeps = 0;

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps += 1;
    return super.sleep(ms, signal);
  }
}

describe('a claim on an order', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  /** It takes the order first; the other one serves repetitions. Beside them, one instance follows the chain. */
  let first: TestApp;
  let second: TestApp;
  const clocks: CountingClock[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      env: { RECLAIM_SWEEP: '1h', DELEGATION_ANSWER: 'accepted', ANSWER_TIMEOUT: '30s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
      overrides: (builder) => {
        clocks.push(new CountingClock());
        return builder.overrideProvider(Clock).useValue(clocks.at(-1)!);
      },
    });
    await world.control('block', { count: 6 });
    [first, second] = [await world.startInstance({}, false), await world.startInstance({}, false)];
    caller = await world.caller({ balance: 100 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    proxy.after = (_call, answer) => answer;
    await world.control('block', { count: 6 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  /** 'cut': the connection, because no answer may be given. */
  type Answered = Answer | 'cut';
  type Order = {
    readonly key: string;
    readonly id: string;
    readonly answered: Promise<Answered>;
    readonly body: object;
  };

  async function place(active: boolean): Promise<Order> {
    const key = crypto.randomUUID();
    const body = { receiver_address: await world.receiver(active), amount: 1, activate_address: !active };
    const answered = world.delegate(caller, body, { 'idempotency-key': key }, first).catch(() => 'cut' as const);
    await world.untilPending();
    const { id } = await world.untilRow(`select id from delegations where idempotency_key = $1`, [key]);
    return { key, id: String(id), answered, body };
  }

  /** An order that the node has taken, and whose instance waits for the node to say so, or to say this. */
  async function sentOrder(reply?: object): Promise<Order & { goOn: () => void }> {
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    proxy.after = async ({ route }, answer) => {
      if (route !== BROADCAST) return answer;
      await held;
      return reply ? JSON.stringify(reply) : answer;
    };
    return { ...(await place(true)), goOn };
  }

  const repeat = ({ body, key }: Order) => world.delegate(caller, body, { 'idempotency-key': key }, second);
  const lapse = (id: string) =>
    world.query(`update delegations set claimed_until = now() - interval '1 second' where id = $1 returning id`, [id]);
  /** As another instance's take-over or sweep, that goes on with the order. */
  const takeOver = (id: string) =>
    world.query(
      `update delegations set epoch = epoch + 1, claimed_until = now() + $2 * interval '1 millisecond' where id = $1 returning *`,
      [id, RECLAIM_LEASE_MS / 2],
    );
  const dueClaim = async (id: string) =>
    ({ ...(await takeOver(id))[0], compared_block: null, compared_from: null }) as unknown as DueOrder;
  const row = async (id: string) =>
    (await world.query(`select state, answer, epoch from delegations where id = $1`, [id]))[0]!;
  const signed = async (id: string, purpose: string) =>
    world.query(`select state from chain_transactions where subject_id = $1 and purpose = $2`, [id, purpose]);

  it.each([
    ['success', undefined],
    ['failure', { code: 'SERVER_BUSY', message: '' }],
  ])('that has ended commits no %s while the order is decided by another one', async (_, reply) => {
    const order = await sentOrder(reply);
    await lapse(order.id);
    const repeated = repeat(order);
    await world.untilRow(`select 1 from delegations where id = $1 and epoch = 1`, [order.id]);
    order.goOn();
    expect(await order.answered).toBe('cut');
    expect(await row(order.id)).toMatchObject({ answer: 'none', epoch: 1 });
    await world.control('block');
    const answer = await repeated;
    expect([answer.status, answer.headers.get('x-delegation-id')]).toEqual([200, order.id]);
  });

  it('that has ended signs no delegation behind an activation', async () => {
    const order = await place(false);
    await takeOver(order.id);
    await world.control('block');
    expect(await order.answered).toBe('cut');
    expect(await row(order.id)).toEqual({ state: 'activating', answer: 'none', epoch: 1 });
    expect(await signed(order.id, 'delegation')).toEqual([]);
    await lapse(order.id);
    await world.app.app.get(AbandonedOrders).recover();
    expect(await row(order.id)).toMatchObject({ state: 'failed' });
  });

  it('that has ended lowers no cost that another request answers with', async () => {
    const receiver = await world.receiver();
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    proxy.after = async ({ route, body }, answer) => {
      // The account exists, and no view of the node shows it.
      if (route.endsWith('/getaccount') && body['address'] === TronWeb.address.toHex(receiver)) return '{}';
      if (route === BROADCAST && JSON.stringify(body).includes('DelegateResourceContract')) await held;
      return answer;
    };
    const key = crypto.randomUUID();
    const body = { receiver_address: receiver, amount: 1, activate_address: true };
    const answered = world.delegate(caller, body, { 'idempotency-key': key }, first).catch(() => 'cut' as const);
    await world.untilPending();
    await world.control('block');
    await world.untilPending();
    const { id } = await world.untilRow(`select id from delegations where idempotency_key = $1`, [key]);
    await takeOver(String(id));
    goOn();
    expect(await answered).toBe('cut');
    const costs = `select d.cost_sun, h.amount_sun from delegations d join holds h on h.delegation_id = d.id where d.id = $1`;
    expect(await world.query(costs, [id])).toEqual([{ cost_sun: 4_500_000n, amount_sun: 4_500_000n }]);
    await lapse(String(id));
    const repeated = repeat({ key, id: String(id), answered, body });
    await world.control('block');
    expect((await repeated).status).toBe(200);
  });

  async function dueOrder(): Promise<string> {
    const { id } = await place(true);
    await world.control('block', { count: 6 });
    await world.untilState(id, 'delegated');
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      id,
    ]);
    return id;
  }

  it('that has ended signs no undelegation, and the one that follows it signs one', async () => {
    const id = await dueOrder();
    const [over, valid] = [await dueClaim(id), await dueClaim(id)];
    expect(await first.app.get(ReclaimOrder).reclaim(over)).toBe('waits');
    expect(await row(id)).toMatchObject({ state: 'delegated' });
    expect(await signed(id, 'reclaim')).toEqual([]);
    expect(await second.app.get(ReclaimOrder).reclaim(valid)).toBe('sent');
    expect(await signed(id, 'reclaim')).toHaveLength(1);
  });

  it('signs no undelegation that was begun before an operator paused reclaims', async () => {
    const id = await dueOrder();
    const switches = second.app.get(Switches);
    const claim = await dueClaim(id);
    await switches.pause('reclaims', null);
    expect(await first.app.get(ReclaimOrder).reclaim(claim)).toBe('waits');
    expect([await row(id), await signed(id, 'reclaim')]).toMatchObject([{ state: 'delegated' }, []]);
    await switches.resume('reclaims');
    expect(await first.app.get(ReclaimOrder).reclaim(await dueClaim(id))).toBe('sent');
  });

  it('that has ended frees no claim of another one when it is given back', async () => {
    const id = await dueOrder();
    const [over, valid] = [await dueClaim(id), await dueClaim(id)];
    const reclaims = first.app.get(ReclaimRepository);
    const isClaimed = async () =>
      (await world.query(`select 1 from delegations where id = $1 and claimed_until > now()`, [id])).length === 1;
    await reclaims.giveBack([over]);
    expect(await isClaimed()).toBe(true);
    await reclaims.giveBack([valid]);
    expect(await isClaimed()).toBe(false);
    expect(await world.sweepOnce()).toMatchObject({ sent: 1 });
  });

  it.each<[string, () => string]>([
    ['fails', () => '<html>'],
    ['finds too little', () => '{}'],
  ])('that has ended gives up no claim of another one when its reclaim %s', async (_, reply) => {
    const id = await dueOrder();
    const text = `update delegations set stake_missing = true, last_error = 'the delegation is not there in full' where id = $1 returning id`;
    await world.query(text, [id]);
    proxy.after = async ({ route }, answer) => {
      if (route !== 'walletsolidity/getdelegatedresourcev2') return answer;
      await takeOver(id);
      return reply();
    };
    await first.app.get(ReclaimSweeper).sweep();
    proxy.after = (_call, answer) => answer;
    const columns = `epoch, attempts, next_attempt_at, claimed_until > now() as claimed`;
    expect(await world.query(`select ${columns} from delegations where id = $1`, [id])).toEqual([
      { epoch: 2, attempts: 0, next_attempt_at: null, claimed: true },
    ]);
    await world.query(`update delegations set last_error = null where id = $1 returning id`, [id]);
    await lapse(id);
    expect(await world.sweepOnce()).toMatchObject({ sent: 1 });
  });

  it('keeps sweeps of other instances away until it lapses', async () => {
    const id = await dueOrder();
    await takeOver(id);
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 0 });
    expect([await row(id), await signed(id, 'reclaim')]).toEqual([
      { state: 'delegated', answer: 'success', epoch: 1 },
      [],
    ]);
    await lapse(id);
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 1 });
  });

  it('keeps the recovery of orders away while its request waits for an activation', async () => {
    const order = await place(false);
    await second.app.get(AbandonedOrders).recover();
    expect(await row(order.id)).toEqual({ state: 'activating', answer: 'none', epoch: 0 });
    await world.control('block');
    expect(await order.answered).toMatchObject({ status: 200 });
  });

  it('keeps a repeated request away while the first one is under way', async () => {
    const order = await sentOrder();
    const looks = clocks[2]!.sleeps;
    const repeated = repeat(order);
    await until('the repeated one has looked twice', () => Promise.resolve(clocks[2]!.sleeps > looks + 1));
    order.goOn();
    const [once, again] = [(await order.answered) as Answer, await repeated];
    expect([once.status, again.status, again.text]).toEqual([200, 200, once.text]);
    expect(await row(order.id)).toMatchObject({ epoch: 0 });
  });

  it('that has lapsed is taken over once, however many find it so', async () => {
    const order = await sentOrder();
    await lapse(order.id);
    const text = `select 1 from delegations where id = $1 for no key update`;
    const lock = await HeldLock.take(world.database.url, text, [order.id]);
    const repeated = [repeat(order), repeat(order)];
    await lock.untilWaiting(2);
    await lock.release();
    await world.control('block');
    expect((await Promise.all(repeated)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await row(order.id)).toMatchObject({ epoch: 1 });
    order.goOn();
    expect(await order.answered).toMatchObject({ status: 200 });
  });
});
