import { Capacity } from '../../src/chain/pool/wallets/capacity';
import { AbandonedOrders } from '../../src/delegation/placing/abandoned-orders';
import { ReconcileMarkRepository } from '../../src/reconciliation/reconcile-mark.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { ReconcilerSchedule } from '../../src/reconciliation/reconciler.schedule';
import { expectChainTruth } from '../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';

/** Rows are left by a database whose clock was a day ahead, and is right now. */
describe('a database clock that was a day ahead', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    // The first sweep and the first reconciliation come with the start, the next ones by hand.
    world = await OrderWorld.open({
      block: 100,
      solidLag: 3,
      env: {
        RECLAIM_SWEEP: '24h',
        RECONCILE_EVERY: '24h',
        RATE_LIMIT_STORE: 'postgres',
        RATE_LIMIT_PER_MINUTE: '100',
        ANSWER_TIMEOUT: '20s',
      },
    });
    await stopReconcilerTurns(world.app.app);
    caller = await world.caller();
  });
  afterAll(() => world.close());

  const order = async (headers: Record<string, string> = {}) =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, headers);

  async function lentAndDue(): Promise<string> {
    const id = idOf(await order());
    await world.untilState(id, 'delegated');
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1`, [id]);
    return id;
  }
  const claim = (id: string, until: string) =>
    world.query(`update delegations set claimed_until = now() + $2::interval, claim_ms = 30000 where id = $1`, [
      id,
      until,
    ]);

  it('keeps no reclaim from being claimed, and a claim that lives is left alone', async () => {
    const id = await lentAndDue();
    await claim(id, '29 seconds');
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 0 });
    await claim(id, '1 day');
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 1 });
    await world.untilState(id, 'reclaimed');
    await expectChainTruth(world);
  });

  it.each([1, 4, 9])('keeps no reclaim waiting that failed %i times, and its own wait is kept', async (attempts) => {
    const id = await lentAndDue();
    const wait = (time: string) =>
      world.query(`update delegations set attempts = $3, next_attempt_at = now() + $2::interval where id = $1`, [
        id,
        time,
        attempts,
      ]);
    const seconds = Math.min(10 * 2 ** (attempts - 1), 600);
    await wait(`${seconds - 1} seconds`);
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 0 });
    await wait('1 day');
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 1 });
    await world.untilState(id, 'reclaimed');
  });

  it('keeps no repeated request waiting for an instance that is gone', async () => {
    const key = { 'idempotency-key': 'ahead' };
    const receiver = await world.receiver();
    const place = () => world.delegate(caller, { receiver_address: receiver, amount: 1 }, key);
    const id = idOf(await place());
    await world.untilState(id, 'delegated');
    const unanswered = `update delegations set answer = 'none', answer_code = null, answered_at = null where id = $1`;
    await world.query(unanswered, [id]);
    await claim(id, '1 day');
    const again = await place();
    expect([again.status, idOf(again)]).toEqual([200, id]);
  });

  it('keeps no order open that was interrupted before it was signed', async () => {
    const [row] = await world.query(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
         cost_sun, paid_by, claimed_until)
       values (gen_random_uuid(), $1, 'T', '1', 65000, 10, true, 'activating', (select id from pool_wallets where name = 'pool'), 1,
         0, 'balance', now() + interval '1 day') returning id`,
      [caller.id],
    );
    const id = String(row!['id']);
    await world.query(`insert into holds (delegation_id, user_id, amount_sun) values ($1, $2, 0)`, [id, caller.id]);
    const { app } = world.app;
    await claim(id, '29 seconds');
    await app.get(AbandonedOrders).recover();
    expect(await world.show(id)).toMatchObject({ state: 'activating' });
    await claim(id, '1 day');
    await app.get(AbandonedOrders).recover();
    expect(await world.show(id)).toMatchObject({ state: 'failed' });
  });

  it('puts off no comparison of chain and database, nor the daily one of all rows', async () => {
    const { app } = world.app;
    await app.get(Reconciler).run();
    const isWholeDue = () => app.get(ReconcileMarkRepository).isWholeDue();
    expect(await isWholeDue()).toBe(false);
    await world.query(`update reconcile_mark set whole_at = now() + interval '1 day'`);
    expect(await isWholeDue()).toBe(true);
    await app.get(ReconcilerSchedule).reconcileWhole();
    expect(await isWholeDue()).toBe(false);
    const ahead = `insert into job_runs (name, ran_at) values ('reconcile', now() + interval '1 day')
                   on conflict (name) do update set ran_at = excluded.ran_at`;
    await world.query(ahead);
    await world.query(`update reconcile_mark set whole_at = now() - interval '2 days'`);
    await app.get(ReconcilerSchedule).reconcile();
    await app.get(ReconcilerSchedule).reconcileWhole();
    const runs = `select ran_at <= now() and whole_at > now() - interval '1 day' as done from job_runs, reconcile_mark where name = 'reconcile'`;
    expect(await world.query(runs)).toEqual([{ done: true }]);
  });

  it('keeps no reading of a wallet for good', async () => {
    await world.query(
      `update pool_wallets set observed_at = now() + interval '1 day', observed_block = observed_block + 1000000`,
    );
    await world.app.app.get(Capacity).refresh();
    const rows = await world.query(
      `select distinct observed_at <= now() as newer, observed_block < 1000000 as right_block from pool_wallets`,
    );
    expect(rows).toEqual([{ newer: true, right_block: true }]);
  });

  it('refuses no caller until that day has passed, and says truly when a token was used', async () => {
    const impatient = await world.caller();
    await world.query(`update users set rate_limit_per_minute = 1 where id = $1`, [impatient.id]);
    const call = async () => (await world.get(impatient, '/api/chain/delegations?limit=1')).status;
    expect([await call(), await call()]).toEqual([200, 429]);
    await world.query(`update rate_limit_windows set ends_at = ends_at + interval '1 day'`);
    await world.query(`update api_tokens set last_used_at = now() + interval '1 day' where user_id = $1`, [
      impatient.id,
    ]);
    expect([await call(), await call()]).toEqual([200, 429]);
    await world.untilRow(`select 1 from api_tokens where user_id = $1 and last_used_at <= now()`, [impatient.id]);
  });
});

describe('bytes that were last sent while the database clock was ahead', () => {
  it('are sent again when a fork drops their block', async () => {
    const world = await OrderWorld.open({ block: 'manual', solidLag: 6, env: { ANSWER_TIMEOUT: '20s' } });
    await world.control('block');
    const answer = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    await world.control('block');
    const id = idOf(await answer);
    await world.query(`update chain_transactions set last_sent_at = now() + interval '1 day'`);
    const { block_header: header } = (await world.node('wallet/getnowblock')) as {
      block_header: { raw_data: { number: number } };
    };
    await world.control('fork', { from: header.raw_data.number, keep: [] });
    await world.control('block', { count: 2 });
    await world.untilState(id, 'sent');
    await world.untilPending();
    await world.control('block');
    await world.untilState(id, 'included');
    await world.close();
  });
});

const idOf = ({ headers }: Answer) => headers.get('x-delegation-id')!;
