import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { Shutdown } from '../../src/common/shutdown';
import { AbandonedOrders } from '../../src/delegation/placing/abandoned-orders';
import { ReclaimSweeper } from '../../src/delegation/reclaim/reclaim.sweeper';
import { ReconcilerSchedule } from '../../src/reconciliation/reconciler.schedule';
import { ensureBuild } from '../support/build';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { type NodeCall, NodeProxy } from '../support/node-proxy';
import { type Caller, OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { until } from '../support/until';
import { HeldCalls } from './held-calls';

const BROADCAST = 'wallet/broadcasttransaction';
const LENT = 'walletsolidity/getdelegatedresourcev2';
/** More than are taken back, read or sent at the same moment. */
const ORDERS = 14;
/** The sweep takes back so many of them at a time; other work is done four at a time. */
const IN_HAND = 5;

describe('a service that is asked to end', () => {
  let proxy: NodeProxy;
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(() => ensureBuild());
  beforeEach(async () => {
    world = await OrderWorld.open({
      block: 100,
      solidLag: 4,
      backgroundWork: false,
      env: { RECLAIM_SWEEP: '100ms', ANSWER_TIMEOUT: '20s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller();
  });
  afterEach(async () => {
    proxy.before = () => undefined;
    await world.close();
    await proxy.close();
  });

  /** Orders that are lent, and no instance at work. */
  async function lent(): Promise<string[]> {
    const follower = await world.startInstance();
    const ids = await Promise.all(
      Array.from({ length: ORDERS }, async () => {
        const answer = await world.delegate(
          caller,
          { receiver_address: await world.receiver(), amount: 1 },
          {},
          follower,
        );
        return answer.headers.get('x-delegation-id')!;
      }),
    );
    await untilSettled(world.app.sql);
    await world.stopInstance(follower);
    return ids;
  }
  const makeDue = () => world.query(`update delegations set reclaim_due_at = now() - interval '1 day'`);
  const broadcasts = ({ route, body }: NodeCall) => (route === BROADCAST ? String(body['txID']) : undefined);

  it('on SIGTERM finishes the reclaims in hand, begins no other, and gives back what it had claimed', async () => {
    await lent();
    await makeDue();
    const held = new HeldCalls(proxy, broadcasts);
    const child = await world.startProcess();
    await held.until(IN_HAND);
    child.process.kill('SIGTERM');
    await until('no connection is taken', () =>
      fetch(`${child.url}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    held.release();
    expect(await child.ended).toMatchObject({ code: 0 });
    expect(held.keys.size).toBe(IN_HAND);
    const orders = `select state, claimed_until is null as free, count(*)::integer as orders from delegations group by 1, 2 order by 1`;
    expect(await world.query(orders)).toMatchObject([
      { state: 'delegated', free: true, orders: ORDERS - IN_HAND },
      { state: 'reclaiming', orders: IN_HAND },
    ]);
    await world.startInstance();
    await until('all taken back', async () => (await world.query(orders)).every(({ state }) => state === 'reclaimed'));
    await expectChainTruth(world);
  });

  it('stops in the middle of the headers that its chain begins with, and takes nothing back', async () => {
    await lent();
    await makeDue();
    const { app } = await world.startInstance({}, false);
    const held = new HeldCalls(proxy, ({ body }) =>
      body['id_or_num'] === undefined ? undefined : JSON.stringify(body),
    );
    const sweep = app.get(ReclaimSweeper).sweep();
    const outcome = sweep.catch((error: Error) => error.message);
    await held.until(4);
    app.get(Shutdown).begin();
    held.release();
    expect(await outcome).toBe('the service ends');
    expect(held.keys.size).toBe(4);
    expect(await world.query(`select 1 from delegations where epoch > 0`)).toEqual([]);
  });

  it('stops in the middle of a comparison, which the next instance makes from its begin', async () => {
    await lent();
    const instance = await world.startInstance({ RECLAIM_SWEEP: '24h', RECONCILE_EVERY: '1h' });
    await stopReconcilerTurns(instance.app);
    await until('its chain', () => Promise.resolve(instance.app.get(ReferenceBlocks).lastHead()));
    await world.query(
      `insert into job_runs (name, ran_at) values ('reconcile', now() - interval '2 hours')
       on conflict (name) do update set ran_at = excluded.ran_at`,
    );
    const held = new HeldCalls(proxy, ({ route, body }) => (route === LENT ? JSON.stringify(body) : undefined));
    const run = instance.app.get(ReconcilerSchedule).reconcile();
    await held.until(4);
    instance.app.get(Shutdown).begin();
    held.release();
    await run;
    expect(held.keys.size).toBe(4);
    const due = `select ran_at < now() - interval '59 minutes' as due, (select count(*) from reconcile_mark)::integer as marks from job_runs where name = 'reconcile'`;
    expect(await world.query(due)).toEqual([{ due: true, marks: 0 }]);
  });

  it('stops sending again, and closes no more orders', async () => {
    const instance = await world.startInstance({ RECLAIM_SWEEP: '24h', ANSWER_TIMEOUT: '3s' });
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: ORDERS });
    // Before the orders, or it could miss the first that are sent again.
    const sentOnce = new Set<string>();
    const held = new HeldCalls(proxy, (call) => {
      const txId = broadcasts(call);
      if (txId === undefined || sentOnce.has(txId)) return txId;
      sentOnce.add(txId);
      return undefined;
    });
    const answers = Array.from({ length: ORDERS }, async () =>
      world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, instance),
    );
    await Promise.all(answers);
    await held.until(4);
    instance.app.get(Shutdown).begin();
    held.release();
    // Until those in hand are noted, and the follower has seen one more block.
    const noted = `select count(*)::integer as count from delegation_events where kind = 'delegation sent'`;
    const areNoted = async () => (await world.query(noted))[0]!['count'] === ORDERS + held.keys.size;
    await until('those in hand noted', areNoted);
    const inHand = held.keys.size;
    expect(inHand).toBeLessThan(ORDERS);
    const seen = proxy.count('wallet/getblock');
    await until('two more turns', async () => proxy.count('wallet/getblock') > seen + 2);
    expect(held.keys.size).toBe(inHand);
    await world.query(
      `with abandoned as (
         insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
           cost_sun, paid_by, claimed_until)
         values (gen_random_uuid(), $1, 'T', '1', 65000, 10, true, 'activating', (select id from pool_wallets where name = 'pool'), 1,
           0, 'balance', now() - interval '1 second') returning id, user_id)
       insert into holds (delegation_id, user_id, amount_sun) select id, user_id, 0 from abandoned`,
      [caller.id],
    );
    await instance.app.get(AbandonedOrders).recover();
    expect(await world.query(`select 1 from delegations where state = 'activating'`)).toHaveLength(1);
  });
});
