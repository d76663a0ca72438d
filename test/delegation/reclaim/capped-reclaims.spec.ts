import { TronWeb } from 'tronweb';
import { ReclaimRepository } from '../../../src/delegation/reclaim/reclaim.repository';
import { WebhookService } from '../../../src/webhooks/webhook.service';
import { lendByHand, takeBackByHand } from '../../support/by-hand';
import { HeldLock } from '../../support/held-lock';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { slowEvents } from '../../support/slow-events';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

// The state of another order is written over, to see who waits for whom.
breaksTheLedger();

const LENT = 'walletsolidity/getdelegatedresourcev2';
/** Lent by somebody else. */
const SURPLUS_SUN = 5_000_000n;
const DOUBT = `update delegations set stake_missing = true, last_error = 'the delegation is not there in full' where id = any($1) returning id`;
const hex = (address: string) => TronWeb.address.toHex(address);

interface Lent {
  readonly id: string;
  readonly receiver: string;
  readonly stakeSun: bigint;
}

/** Somebody else with the wallet's key has taken some of it; what is left is shared with other orders. */
describe('a reclaim of stake that is not there in full', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  /** Settles; sweeps are the test's own. */
  let follower: TestApp;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      solidLag: 3,
      backgroundWork: false,
      env: { RECLAIM_SWEEP: '1h', DELEGATION_ANSWER: 'accepted', WEBHOOK_ALLOW_PRIVATE: 'on' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    follower = await world.startInstance();
    caller = await world.caller({ balance: 10_000 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(() => {
    [proxy.before, proxy.after] = [() => undefined, (_call, answer) => answer];
  });

  async function place(receiver: string): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    return answer.headers.get('x-delegation-id')!;
  }

  async function lend(receiver: string): Promise<Lent> {
    const id = await place(receiver);
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    return { id, receiver, stakeSun };
  }

  async function lentSun(receiver: string): Promise<bigint> {
    const pool = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const pair = { fromAddress: hex(pool), toAddress: hex(receiver) };
    const found = await world.node(LENT, pair);
    const [record] = (found['delegatedResource'] ?? []) as { frozen_balance_for_energy?: number }[];
    return BigInt(record?.frozen_balance_for_energy ?? 0);
  }

  const makeDue = (...orders: Lent[]) =>
    world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = any($1) returning id`, [
      orders.map(({ id }) => id),
    ]);
  /** As after a node's refusal, with its hour over. */
  async function makeDoubtful(...orders: Lent[]): Promise<void> {
    await world.query(DOUBT, [orders.map(({ id }) => id)]);
    await makeDue(...orders);
  }
  const forgetBackOff = () =>
    world.query(`update delegations set next_attempt_at = null where next_attempt_at is not null returning id`);

  async function sweepUntilBack(...orders: Lent[]): Promise<void> {
    const text = `select 1 from delegations where id = any($1) and state in ('reclaimed', 'taken_back')`;
    await until('taken back', async () => {
      await forgetBackOff();
      await world.sweepOnce();
      return (await world.query(text, [orders.map(({ id }) => id)])).length === orders.length;
    });
  }
  const shortageOf = async ({ id }: Lent) => (await world.show(id))!.shortage_sun;

  it.each(['delegated', 'reclaiming', 'taking_back'])('takes nothing of another order that is %s', async (state) => {
    const receiver = await world.receiver();
    const [other, short] = [await lend(receiver), await lend(receiver)];
    await world.query(`update delegations set state = $2 where id = $1 returning id`, [other.id, state]);
    await takeBackByHand(world, receiver, short.stakeSun / 2n);
    await makeDoubtful(short);
    await sweepUntilBack(short);
    expect(await shortageOf(short)).toBe(short.stakeSun / 2n);
    expect(await lentSun(receiver)).toBe(other.stakeSun);
    await makeDue(other);
    await sweepUntilBack(other);
    expect(await shortageOf(other)).toBe(0n);
    expect(await lentSun(receiver)).toBe(0n);
  });

  it('takes all that is its own and no more, whatever else is lent and was taken back', async () => {
    const [receiver, elsewhere] = [await world.receiver(), await world.receiver()];
    const [before, own] = [await lend(receiver), await lend(receiver)];
    const other = await lend(elsewhere);
    await makeDue(before);
    await sweepUntilBack(before);
    await lendByHand(world, receiver, SURPLUS_SUN);
    await makeDoubtful(own);
    await sweepUntilBack(own);
    expect(await shortageOf(own)).toBe(0n);
    expect([await lentSun(receiver), await lentSun(elsewhere)]).toEqual([SURPLUS_SUN, other.stakeSun]);
  });

  it('tells its webhook that it is over, also where nothing was left to take', async () => {
    slowEvents(world.app);
    await world.app.app.get(WebhookService).create({
      userId: caller.id,
      url: 'http://127.0.0.1:9/',
      events: ['delegation.reclaimed'],
    });
    const receiver = await world.receiver();
    const [gone, half] = [await lend(receiver), await lend(await world.receiver())];
    await takeBackByHand(world, receiver, gone.stakeSun);
    await takeBackByHand(world, half.receiver, half.stakeSun / 2n);
    await makeDoubtful(gone, half);
    await sweepUntilBack(gone, half);
    expect(await shortageOf(gone)).toBe(gone.stakeSun);
    const told = `select e.body::json -> 'data' ->> 'id' as id, e.body::json -> 'data' ->> 'state' as state
                    from webhook_deliveries d join webhook_events e on e.id = d.event_id`;
    const expected = [gone, half].map(({ id }) => ({ id, state: 'reclaimed' }));
    expect(await world.query(told)).toEqual(expect.arrayContaining(expected));
  });

  it('takes turns with others of its pair, and backs off for none of them', async () => {
    const receiver = await world.receiver();
    const lent = [await lend(receiver), await lend(receiver), await lend(receiver)];
    await makeDoubtful(...lent);
    await sweepUntilBack(...lent);
    const failures = await world.query(
      `select id, attempts, shortage_sun from delegations where id = any($1) and (attempts > 0 or shortage_sun > 0)`,
      [lent.map(({ id }) => id)],
    );
    expect(failures).toEqual([]);
    expect(await lentSun(receiver)).toBe(0n);
  });

  it('looks at the others that are due before they sign: none has to be refused and to die first', async () => {
    const receiver = await world.receiver();
    const [first, ...others] = [await lend(receiver), await lend(receiver), await lend(receiver)];
    const later = await lend(receiver);
    const lent = [first, ...others, later].reduce((sum, { stakeSun }) => sum + stakeSun, 0n);
    await takeBackByHand(world, receiver, lent);
    await makeDoubtful(first);
    await makeDue(...others);
    await sweepUntilBack(first, ...others);
    for (const order of others) expect(await shortageOf(order)).toBe(order.stakeSun);
    const signed = `select subject_id from chain_transactions where purpose = 'reclaim' and subject_id = any($1)`;
    expect(await world.query(signed, [others.map(({ id }) => id)])).toEqual([]);
    // Its hour is not over: it closes the pair for no order.
    expect((await world.show(later.id))!.last_error).toBeNull();
    await makeDue(later);
    await world.query(DOUBT, [[later.id]]);
    await sweepUntilBack(later);
  });

  it('is not doubted for a late word on a transaction that is not its open one', async () => {
    const lent = await lend(await world.receiver());
    proxy.before = ({ route }) => {
      if (route === 'wallet/broadcasttransaction') throw new Error('cut');
    };
    await makeDue(lent);
    await world.sweepOnce();
    const reclaims = world.app.app.get(ReclaimRepository);
    await reclaims.stakeMissing(lent.id, '0'.repeat(64), 'late');
    await reclaims.refused(lent.id, '0'.repeat(64), 'late');
    const open = `select t.resend, d.last_error from chain_transactions t join delegations d on d.id = t.subject_id
                   where t.subject_id = $1 and t.purpose = 'reclaim'`;
    expect(await world.query(open, [lent.id])).toEqual([{ resend: true, last_error: null }]);
    proxy.before = () => undefined;
    await sweepUntilBack(lent);
  });

  it('is not sent again once it was refused: it would take what others have lent since', async () => {
    const lent = await lend(await world.receiver());
    await takeBackByHand(world, lent.receiver, lent.stakeSun);
    await makeDue(lent);
    await world.sweepOnce();
    const signed = `select tx_id from chain_transactions where subject_id = $1 and purpose = 'reclaim' and last_sent_at is not null`;
    await world.untilRow(signed, [lent.id]);
    await lendByHand(world, lent.receiver, lent.stakeSun);
    const age = `update chain_transactions set last_sent_at = now() - interval '10 seconds' where subject_id = $1 and purpose = 'reclaim' returning id`;
    await world.query(age, [lent.id]);
    const looks = proxy.count('wallet/getblock');
    await until('ten looks at the chain', async () => proxy.count('wallet/getblock') >= looks + 10);
    expect(await lentSun(lent.receiver)).toBe(lent.stakeSun);
    await world.control('clock', { ms: 61_000 });
    await sweepUntilBack(lent);
  });

  it('backs off while a transaction of its pair never ends, so that the pair is open for others', async () => {
    const receiver = await world.receiver();
    const [doubtful, undecided] = [await lend(receiver), await lend(receiver)];
    await world.query(
      `update chain_transactions set state = 'sent', created_at = now() - interval '11 minutes'
        where subject_id = $1 and purpose = 'delegation' returning tx_id`,
      [undecided.id],
    );
    await makeDoubtful(doubtful);
    await world.sweepOnce();
    const [after] = await world.query('select state, attempts from delegations where id = $1', [doubtful.id]);
    expect(after).toEqual({ state: 'delegated', attempts: 1 });
    await world.query(
      `update chain_transactions set state = 'final' where subject_id = $1 and purpose = 'delegation' returning tx_id`,
      [undecided.id],
    );
    await sweepUntilBack(doubtful);
  });

  it('believes no node that is behind the block in which it was lent, however often it looks', async () => {
    const receiver = await world.receiver();
    const order = await lend(receiver);
    const text = `select block_number from chain_transactions where subject_id = $1`;
    const lentAt = Number((await world.query(text, [order.id]))[0]!['block_number']);
    // It goes on, so that each look is at a newer block than the one before.
    let behind = Math.min(20, lentAt);
    proxy.after = async ({ route, body }, answer) => {
      if (route === LENT) return '{}';
      if (route !== 'walletsolidity/getblock' || body['id_or_num'] !== undefined) return answer;
      behind = Math.max(1, behind - 1);
      return JSON.stringify(await world.node(route, { ...body, id_or_num: String(lentAt - behind) }));
    };
    await makeDoubtful(order);
    for (let looks = 0; looks < 6; looks++) {
      await forgetBackOff();
      await world.query(DOUBT, [[order.id]]);
      await world.sweepOnce();
    }
    proxy.after = (_call, answer) => answer;
    expect(await world.show(order.id)).toMatchObject({ state: 'delegated', shortage_sun: 0n });
    await sweepUntilBack(order);
    expect([await shortageOf(order), await lentSun(receiver)]).toEqual([0n, 0n]);
  });

  /** One sweep of orders that have all seen what is lent before any of them may write. */
  async function sweepAtOneMoment(orders: Lent[]): Promise<void> {
    let seen = 0;
    let goOn!: () => void;
    const allSaw = new Promise<void>((resolve) => (goOn = resolve));
    proxy.before = ({ route }) => (route === LENT ? (seen++, allSaw) : undefined);
    const swept = world.sweepOnce();
    await until('each has asked what is lent', () => Promise.resolve(seen >= orders.length));
    const text = `select 1 from delegations where id = any($1) for no key update`;
    const lock = await HeldLock.take(world.database.url, text, [orders.map(({ id }) => id)]);
    goOn();
    // For its own row, or for the other one.
    await lock.untilWaiting(orders.length);
    await lock.release();
    await swept;
    proxy.before = () => undefined;
  }

  it.each([
    ['some is left for each', 1n],
    ['nothing is left for one', 3n],
  ])('takes no rest that another one takes at the same moment: %s', async (_, halves) => {
    const receiver = await world.receiver();
    const both = [await lend(receiver), await lend(receiver)];
    const taken = (both[0]!.stakeSun / 2n) * halves;
    await takeBackByHand(world, receiver, taken);
    await makeDoubtful(...both);
    const decided = `select 1 from delegations where id = any($1) and state <> 'delegated'`;
    await until('one of them decided', async () => {
      await forgetBackOff();
      await sweepAtOneMoment(both);
      return (await world.query(decided, [both.map(({ id }) => id)])).length > 0;
    });
    await sweepUntilBack(...both);
    expect((await shortageOf(both[0]!)) + (await shortageOf(both[1]!))).toBe(taken);
    expect(await lentSun(receiver)).toBe(0n);
  });

  it('takes nothing of an order that lands while it looks', async () => {
    const receiver = await world.receiver();
    const short = await lend(receiver);
    await takeBackByHand(world, receiver, short.stakeSun / 2n);
    // No instance records what lands now.
    await world.stopInstance(follower);
    // It has chosen the wallet before the pair is closed to new orders, and waits for its account.
    const lock = await HeldLock.take(world.database.url, 'select 1 from accounts where user_id = $1 for update', [
      caller.id,
    ]);
    const placed = place(receiver);
    await lock.untilWaiting(1);
    await makeDoubtful(short);
    let landed: Promise<string> | undefined;
    proxy.before = async ({ route }) => {
      if (route !== LENT) return;
      landed ??= lock.release().then(() => placed);
      await landed;
      await until('both lent', async () => (await lentSun(receiver)) > short.stakeSun);
    };
    await world.sweepOnce();
    proxy.before = () => undefined;
    follower = await world.startInstance();
    const id = await landed!;
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    await sweepUntilBack(short);
    expect(await shortageOf(short)).toBe(short.stakeSun / 2n);
    expect(await lentSun(receiver)).toBe(stakeSun);
  });
});
