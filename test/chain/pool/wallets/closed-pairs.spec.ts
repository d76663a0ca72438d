import { setTimeout as sleep } from 'node:timers/promises';
import { utils } from 'tronweb';
import { Switches } from '../../../../src/chain/pool/switches/switches';
import { Outbox } from '../../../../src/chain/transactions/outbox/outbox';
import { takeBackByHand } from '../../../support/by-hand';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const MISSING = 'the delegation is not there in full';
/** Twice the pool's: the looser fit of two, which is passed over as long as the pool lends. */
const SECOND_STAKE_SUN = 20_000_000_000_000;

const BETWEEN_ORDERS_MS = 100;

describe('an order whose stake is missing, and whose receiver is ordered for all the time', () => {
  let world: OrderWorld;
  let caller: Caller;
  let receiver: string;
  beforeEach(async () => {
    // Orders are under way for two seconds each, so that with a few at a time there is always one.
    world = await OrderWorld.open({
      time: 'virtual',
      block: 100,
      solidLag: 20,
      env: { RECLAIM_SWEEP: '100ms', ANSWER_TIMEOUT: '20s' },
    });
    caller = await world.caller({ balance: 100_000 });
    receiver = await world.receiver();
  });
  afterEach(() => world.close());

  const idOf = ({ headers }: Answer) => headers.get('x-delegation-id')!;
  const order = (to = receiver) => world.delegate(caller, { receiver_address: to, amount: 1 });
  const makeDue = (id: string) =>
    world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1`, [id]);
  const retrySoon = (id: string) =>
    world.query(
      `update delegations set next_attempt_at = null where id = $1 and next_attempt_at > now() + interval '5 seconds'`,
      [id],
    );

  async function addSecondWallet(): Promise<void> {
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: SECOND_STAKE_SUN });
    await world.addKey('second', address.base58, 'delegate', privateKey.toLowerCase());
  }

  /** Lent by the pool, taken by somebody else, and refused to us. */
  async function missing(): Promise<{ id: string; stakeSun: bigint }> {
    const id = idOf(await order());
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    await takeBackByHand(world, receiver, stakeSun);
    await makeDue(id);
    await world.untilRow(`select 1 from delegations where id = $1 and stake_missing and starts_with(last_error, $2)`, [
      id,
      MISSING,
    ]);
    return { id, stakeSun };
  }

  /** So many callers who order again soon after they are answered. */
  function orderAllTheTime(callers: number) {
    const answers: Answer[] = [];
    let stopped = false;
    const running = Array.from({ length: callers }, async () => {
      while (!stopped) {
        answers.push(await order());
        await sleep(BETWEEN_ORDERS_MS);
      }
    });
    return { answers, stop: () => ((stopped = true), Promise.all(running)) };
  }

  async function untilEnded(id: string): Promise<void> {
    // What was refused has to be proved dead first.
    await world.control('clock', { ms: 61_000 });
    await until('the shortage ends', async () => {
      await retrySoon(id);
      return (await world.show(id))!.state === 'reclaimed';
    });
  }

  async function expectOthersWhole(short: { id: string; stakeSun: bigint }): Promise<void> {
    expect(await world.show(short.id)).toMatchObject({ shortage_sun: short.stakeSun });
    await until('others settled', async () => {
      const open = `select 1 from chain_transactions where state in ('saved', 'sent', 'included')`;
      return (await world.query(open)).length === 0;
    });
    const { findings } = await world.audit();
    expect(findings.map(({ kind, subject }) => [kind, subject])).toEqual([['shortage', `delegation ${short.id}`]]);
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where state = 'delegated'`);
    await until(
      'all taken back',
      async () =>
        (await world.query(`select 1 from delegations where state in ('delegated', 'reclaiming', 'taking_back')`))
          .length === 0,
    );
    expect(await world.query(`select id from delegations where shortage_sun > 0`)).toEqual([{ id: short.id }]);
    expect(await world.energyOf(receiver)).toBe(0);
  }

  it('ends with its shortage, while other wallets lend and nothing of theirs is taken', async () => {
    const short = await missing();
    await addSecondWallet();
    const orders = orderAllTheTime(3);
    await untilEnded(short.id);
    await orders.stop();
    // Bytes under way when the chain's time was moved on may have expired; none was refused.
    const codes = new Set(orders.answers.map(({ headers }) => headers.get('x-error-code')));
    expect(codes).not.toContain('INSUFFICIENT_ENERGY');
    expect(orders.answers.filter(({ status }) => status === 200).length).toBeGreaterThan(6);
    await expectOthersWhole(short);
  });

  it('with one wallet alone, orders for it are refused until then, and those for others are not', async () => {
    const under = orderAllTheTime(3);
    await until('orders under way', async () => under.answers.length > 6);
    // A fault of the pair: as when a node has refused it while others are under way.
    const id = idOf(under.answers[0]!);
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    await takeBackByHand(world, receiver, stakeSun);
    await world.query(`update delegations set stake_missing = true, last_error = $2 where id = $1`, [id, MISSING]);
    await makeDue(id);
    await until('refused', async () => under.answers.some(({ status }) => status === 501));
    const refused = under.answers.find(({ status }) => status === 501)!;
    expect(refused.headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    expect((await order(await world.receiver())).status).toBe(200);
    await untilEnded(id);
    const seen = under.answers.length;
    await until('taken again', async () => under.answers.slice(seen).some(({ status }) => status === 200));
    await under.stop();
    await expectOthersWhole({ id, stakeSun });
  });
});

describe('a pair of wallet and receiver where stake is missing', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 100, solidLag: 3, env: { RECLAIM_SWEEP: '24h' } });
    caller = await world.caller();
  });
  afterAll(() => world.close());

  async function lent(receiver: string): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    return id;
  }
  const next = (id: string, time: string, attempts: number) =>
    world.query(
      `update delegations set stake_missing = true, last_error = '${MISSING}: the node was away', next_attempt_at = now() + $2::interval, attempts = $3 where id = $1`,
      [id, time, attempts],
    );
  it('has what was refused there not sent again, when it could take what others have lent since', async () => {
    const receiver = await world.receiver();
    const short = await lent(receiver);
    await takeBackByHand(world, receiver, (await world.show(short))!.stake_sun);
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1`, [short]);
    await world.sweepOnce();
    const refused = `select state from chain_transactions where subject_id = $1 and purpose = 'reclaim' and state <> 'dead'`;
    expect(await world.query(refused, [short])).toEqual([{ state: 'saved' }]);
    await world.query(`update chain_transactions set last_sent_at = now() - interval '1 minute'`);
    expect(await world.app.app.get(Outbox).claimResends(0, 50)).toEqual([]);
    const sent = `select count(*)::integer as times from delegation_events where delegation_id = $1 and kind = 'reclaim sent'`;
    expect(await world.query(sent, [short])).toEqual([{ times: 1 }]);
  });

  it('is open again behind a reclaim that no node has the blocks to decide', async () => {
    const receiver = await world.receiver();
    const short = await lent(receiver);
    await takeBackByHand(world, receiver, (await world.show(short))!.stake_sun);
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1`, [short]);
    await world.sweepOnce();
    const madeBefore = (minutes: number) =>
      world.query(
        `update chain_transactions set created_at = now() - $2 * interval '1 minute'
          where purpose = 'reclaim' and state = 'saved' and subject_id = $1 returning id`,
        [short, minutes],
      );
    expect(await madeBefore(9)).toHaveLength(1);
    const again = () => world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect((await again()).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    await madeBefore(11);
    const id = (await again()).headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1`, [id]);
    await world.sweepOnce();
    await world.untilState(id, 'reclaimed');
  });

  it('is open while reclaims are paused, once nothing of an earlier attempt can land, and closed again afterwards', async () => {
    const receiver = await world.receiver();
    const switches = world.app.app.get(Switches);
    const order = () => world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const code = async () => (await order()).headers.get('x-error-code');
    const makeDue = (id: string) =>
      world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1`, [id]);
    const untilEnded = (id: string) =>
      until('it ends', async () => {
        await world.query(`update delegations set next_attempt_at = null where id = $1`, [id]);
        await world.sweepOnce();
        return (await world.show(id))!.state === 'reclaimed';
      });
    const short = await lent(receiver);
    const { stake_sun: stakeSun } = (await world.show(short))!;
    await takeBackByHand(world, receiver, stakeSun);
    await makeDue(short);
    await world.sweepOnce();

    await switches.pause('reclaims', null);
    expect(await code()).toBe('INSUFFICIENT_ENERGY');
    await world.control('clock', { ms: 61_000 });
    await world.untilRow(
      `select 1 from chain_transactions where subject_id = $1 and purpose = 'reclaim' and state = 'dead'`,
      [short],
    );
    await world.query(`update delegations set next_attempt_at = now() - interval '1 second' where id = $1`, [short]);
    const other = await lent(receiver);
    await switches.resume('reclaims');
    expect(await code()).toBe('INSUFFICIENT_ENERGY');

    await untilEnded(short);
    expect(await world.show(short)).toMatchObject({ shortage_sun: stakeSun });
    await makeDue(other);
    await untilEnded(other);
    expect(await world.show(other)).toMatchObject({ shortage_sun: 0n });
    expect(await world.energyOf(receiver)).toBe(0);
  });

  const reclaiming = async (id: string) => (await world.show(id))!.state !== 'delegated';

  it('has its other reclaims wait shortly before an attempt, and no longer; those of other pairs never wait', async () => {
    const receiver = await world.receiver();
    const [short, other, elsewhere] = [await lent(receiver), await lent(receiver), await lent(await world.receiver())];
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day'`);
    await next(short, '2 minutes', 5);
    await world.sweepOnce();
    expect([await reclaiming(other), await reclaiming(elsewhere)]).toEqual([false, true]);
    // It fails again and again: ten minutes to the next attempt.
    await next(short, '9 minutes', 9);
    await world.sweepOnce();
    expect(await reclaiming(other)).toBe(true);
    expect(await reclaiming(short)).toBe(false);
    await world.untilState(other, 'reclaimed');
    await next(short, '0', 9);
    await until('taken back whole', async () => {
      await world.sweepOnce();
      return (await world.show(short))!.state === 'reclaimed';
    });
    expect(await world.show(short)).toMatchObject({ shortage_sun: 0n });
  });
});
