import { PoolAdminService } from '../../src/admin/pool-admin.service';
import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { describeError } from '../../src/common/errors/describe-error';
import { finding } from '../../src/findings/finding';
import { JobRunRepository } from '../../src/reconciliation/job-run.repository';
import { ReconcileMarkRepository } from '../../src/reconciliation/reconcile-mark.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { ReconcilerSchedule } from '../../src/reconciliation/reconciler.schedule';
import { WalletQuarantineService } from '../../src/reconciliation/wallet-quarantine.service';
import { lendByHand, takeBackByHand } from '../support/by-hand';
import { HeldLock } from '../support/held-lock';
import { breaksTheLedger } from '../support/ledger-consistency';
import { liftPromises } from '../support/lifted-promises';
import { OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { until } from '../support/until';

// Held amounts that are adrift are what a repair is needed for.
breaksTheLedger();

const SUN = 5_000_000n;
/** Rows that every look at all rows reads, and no comparison with the chain. */
const ROWS_LOCKED = 'lock table token_days in access exclusive mode';

async function withLock<T>(lock: HeldLock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

describe('a wallet whose stake is not explained is paused', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200, env: { RECONCILE_EVERY: '10m' } });
    await stopReconcilerTurns(world.app.app);
    await liftPromises(change);
    await until('a chain', () => Promise.resolve(world.app.app.get(ReferenceBlocks).lastHead()));
  });
  afterAll(() => world.close());

  let stranger: string;
  beforeEach(async () => {
    stranger = await world.receiver();
    await lendByHand(world, stranger, SUN);
    await change(`update pool_wallets set state = 'active', resumes_itself = false`);
  });
  afterEach(async () => {
    await takeBackByHand(world, stranger, SUN);
    await reconciler().run();
  });

  const change = (text: string, values: unknown[] = []) => world.app.orm.em.fork().execute(text, values);
  const reconciler = () => world.app.app.get(Reconciler);
  const schedule = ({ app } = world.app) => app.get(ReconcilerSchedule);
  const isPaused = async () =>
    (await world.query(`select 1 from pool_wallets where name = 'pool' and state = 'paused'`)).length === 1;
  const isFound = async () =>
    (await world.query(`select 1 from findings where receiver = $1 and resolved_at is null`, [stranger])).length === 1;

  it('while an account that a repair needs is locked, and the other repairs are made', async () => {
    const [locked, free] = [await world.caller(), await world.caller()];
    for (const { id } of [locked, free]) await change(`update accounts set held_sun = 7 where user_id = ?`, [id]);
    const held = async (id: string) =>
      (await world.query(`select held_sun::text as sun from accounts where user_id = $1`, [id]))[0]!['sun'];
    const lock = await HeldLock.take(world.database.url, 'select 1 from accounts where user_id = $1 for update', [
      locked.id,
    ]);
    const { paused, mended } = await withLock(lock, () => reconciler().run());
    expect(paused).toEqual(['pool']);
    expect(mended).toBe(1);
    expect([await held(locked.id), await held(free.id)]).toEqual(['7', '0']);
    expect((await reconciler().run()).mended).toBe(1);
    expect(await held(locked.id)).toBe('0');
  });

  it('before any row is read, and its finding is kept', async () => {
    const lock = await HeldLock.take(world.database.url, ROWS_LOCKED);
    const running = reconciler().run();
    await withLock(lock, () => until('paused', isPaused));
    expect(await isFound()).toBe(true);
    await running;
  });

  it('in the same moment as its finding is there: no operator resumes it in between, with nothing to read', async () => {
    // Readers come by; a run that writes a finding waits.
    const lock = await HeldLock.take(world.database.url, 'lock table findings in share mode');
    const running = reconciler().run();
    const resumed = await withLock(lock, async () => {
      await lock.untilWaiting(1);
      const resuming = world.app.app
        .get(PoolAdminService)
        .resumeWallet({ id: null, address: 'test' }, 'pool', { reason: 'nothing is found', seenIds: [] })
        .then(() => 'resumed', describeError);
      await Promise.race([resuming, lock.untilWaiting(2)]);
      return { resuming };
    });
    expect(await resumed.resuming).not.toBe('resumed');
    await running;
    expect([await isPaused(), await isFound()]).toEqual([true, true]);
    const [found] = await world.query(`select action_code from findings where receiver = $1`, [stranger]);
    expect(found).toEqual({ action_code: 'wallet_paused' });
  });

  it('while another instance, or this one, looks at every row, which no second one begins', async () => {
    await reconciler().run('changed');
    await world.query(`update reconcile_mark set whole_at = now() - interval '25 hours' returning 1`);
    await change(`update pool_wallets set state = 'active'`);
    await change(`delete from unexplained_stakes`);
    const runs = world.app.app.get(JobRunRepository);
    const lock = await HeldLock.take(world.database.url, ROWS_LOCKED);
    const whole = schedule().reconcileWhole();
    await lock.untilWaiting(1);
    // What it has compared itself is undone, as if a thief had come since.
    await until('paused', isPaused);
    await change(`update pool_wallets set state = 'active'`);
    await change(`delete from unexplained_stakes`);
    try {
      expect(await runs.claimWhole()).toBeNull();
      await world.query(
        `insert into job_runs (name, ran_at) values ('reconcile', now() - interval '11 minutes')
         on conflict (name) do update set ran_at = excluded.ran_at returning 1`,
      );
      const changed = schedule().reconcile();
      await until('paused', isPaused);
      await lock.release();
      await Promise.all([whole, changed]);
    } catch (error) {
      await lock.release().catch(() => undefined);
      throw error;
    }
    expect(await world.app.app.get(ReconcileMarkRepository).isWholeDue()).toBe(false);
    // Free for the next day.
    const next = await runs.claimWhole();
    expect(next).not.toBeNull();
    await next!.end(0);
  });

  it('although the row of another wallet is locked', async () => {
    const wallets = await world.query(`select id, name from pool_wallets order by name desc`);
    const found = wallets.map(({ id, name }) => ({
      ...finding(
        'delegation_foreign',
        { lent_sun: '2', most_sun: '1' },
        { type: 'delegated_resource', walletId: String(id), wallet: String(name), receiver: stranger },
      ),
      foreignSun: 1n,
      missingSun: 0n,
    }));
    expect(found.map(({ about }) => about.wallet)).toEqual(['pool', 'activate']);
    const lock = await HeldLock.take(world.database.url, `select 1 from pool_wallets where name = 'pool' for update`);
    const paused = await withLock(lock, () => world.app.app.get(WalletQuarantineService).pause(found));
    expect(paused).toEqual(['activate']);
  });
});

describe('the right to look at every row', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ backgroundWork: false });
  });
  afterAll(() => world.close());

  it("is one instance's, and another's once that one is gone or the clock was ahead", async () => {
    const runs = world.app.app.get(JobRunRepository);
    const age = (interval: string) =>
      world.query(`update job_runs set ran_at = now() + $1::interval where name = 'reconcile-whole' returning 1`, [
        interval,
      ]);
    const first = await runs.claimWhole();
    expect(first).not.toBeNull();
    expect(await runs.claimWhole()).toBeNull();
    await first!.renew();
    await age('-16 minutes');
    const second = await runs.claimWhole();
    expect(second).not.toBeNull();
    // The first one comes late: it takes nothing from the second.
    await first!.renew();
    await first!.end(0);
    expect(await runs.claimWhole()).toBeNull();
    await age('1 day');
    const third = await runs.claimWhole();
    expect(third).not.toBeNull();
    await third!.renew();
    await third!.end(60_000);
    expect(await runs.claimWhole()).toBeNull();
    await age('-16 minutes');
    expect(await runs.claimWhole()).not.toBeNull();
  });
});
