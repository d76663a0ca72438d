import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { FindingRepository } from '../../src/findings/finding.repository';
import { ChangedRows } from '../../src/reconciliation/changed-rows';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { ReconcilerSchedule } from '../../src/reconciliation/reconciler.schedule';
import { insertUser } from '../support/factories';
import { liftPromises } from '../support/lifted-promises';
import { OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { insertPastOrders, PAST_ORDER } from '../support/past-orders';

/** More than two batches of every table. */
const ROWS = 12_000;

describe('what the reconciler looks at', () => {
  let world: OrderWorld;
  let reconciler: Reconciler;
  beforeAll(async () => {
    world = await OrderWorld.open();
    await stopReconcilerTurns(world.app.app);
    reconciler = world.app.app.get(Reconciler);
    const [wallet] = await world.app.app.get(PoolWallets).list();
    const payer = await insertUser(world.app.orm, { balance: 5 });
    await insertPastOrders(world.app.sql, ROWS, payer, wallet!.id);
  });
  afterAll(() => world.close());

  const change = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    world.app.orm.em.fork().execute(text, values);
  const open = async () =>
    (await world.app.app.get(FindingRepository).list()).map(({ kind, subject }) => `${kind} ${subject}`);
  const pastOrder = async (n: number) => String((await world.query(`select ${PAST_ORDER(n)}::text as id`))[0]!['id']);

  it('is every row of every table, in as many batches as it takes, on demand', async () => {
    const { ok, whole, checked } = await reconciler.run();
    expect({ ok, whole }).toEqual({ ok: true, whole: true });
    const [counted] = await world.query(
      `select (select count(*) from users)::integer as users, (select count(*) from accounts)::integer as accounts,
              (select count(*) from ledger_entries)::integer as ledger_entries, (select count(*) from holds)::integer as holds,
              (select count(*) from delegations)::integer as delegations,
              (select count(*) from chain_transactions)::integer as transactions`,
    );
    expect(checked).toEqual({ ...counted, subscriptions: 0, deposits: 0, token_days: 0, pairs: 0 });
    expect(checked['delegations']).toBe(ROWS);
    expect(await world.audit()).toMatchObject({ ok: true, checked });
  });

  it('is between whole runs only what changed since, and that in full', async () => {
    // As if all that has been done until now were long ago.
    await change(`update reconcile_mark set entries_up_to = (select max(id) from ledger_entries)`);
    const caller = await world.caller({ balance: 10 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    const { ok, whole, checked } = await reconciler.run('changed');
    expect({ ok, whole }).toEqual({ ok: true, whole: false });
    expect(checked).toMatchObject({
      delegations: 1,
      holds: 1,
      token_days: 1,
      ledger_entries: 2,
      accounts: 1,
      pairs: 1,
    });

    await liftPromises(change);
    await change(`update delegations set cost_sun = cost_sun + 1 where id = ?`, [id]);
    await change(`update accounts set balance_sun = balance_sun + 1 where user_id = ?`, [caller.id]);
    await reconciler.run('changed');
    expect((await open()).toSorted()).toEqual([`hold_amount delegation ${id}`, `ledger_sum user ${caller.id}`]);
    await change(`update delegations set cost_sun = cost_sun - 1 where id = ?`, [id]);
    await change(`update accounts set balance_sun = balance_sun - 1 where user_id = ?`, [caller.id]);
    expect(await reconciler.run('changed')).toMatchObject({ ok: true, whole: false });
    expect(await open()).toEqual([]);
  });

  it('is everything again after a day, and what was found stays until it is gone, however old its rows are', async () => {
    const id = await pastOrder(ROWS - 1);
    const ofIt = `select tx_id from chain_transactions where subject_id = $1 and purpose = 'reclaim'`;
    const txId = String((await world.query(ofIt, [id]))[0]!['tx_id']);
    await change(`update delegations set cost_sun = cost_sun + 1 where id = ?`, [id]);
    await change(`update chain_transactions set subject_id = gen_random_uuid() where tx_id = ?`, [txId]);
    const expected = [
      `hold_amount delegation ${id}`,
      `orphan_transaction transaction ${txId}`,
      `stake_not_released delegation ${id}`,
    ];
    // Changed by hand long after it was over: nothing tells of it but the rows themselves.
    expect(await reconciler.run('changed')).toMatchObject({ ok: true, whole: false });
    await change(`update reconcile_mark set whole_at = now() - interval '25 hours'`);
    await world.app.app.get(ReconcilerSchedule).reconcileWhole();
    expect((await open()).toSorted()).toEqual(expected);
    expect(await reconciler.run('changed')).toMatchObject({ ok: false, whole: false });
    expect((await open()).toSorted()).toEqual(expected);
    await change(`update delegations set cost_sun = cost_sun - 1 where id = ?`, [id]);
    await change(`update chain_transactions set subject_id = ? where tx_id = ?`, [id, txId]);
    expect(await reconciler.run('changed')).toMatchObject({ ok: true, whole: false });
    expect(await open()).toEqual([]);
  });

  it('is the next time what was committed while the rows were read, however old it is by then', async () => {
    const id = await pastOrder(ROWS - 2);
    const changed = world.app.app.get(ChangedRows);
    const since = changed.since.bind(changed);
    const read = jest.spyOn(changed, 'since').mockImplementationOnce(async (mark) => {
      const keys = await since(mark);
      // An event of a transaction that began long ago.
      const event = `insert into delegation_events (delegation_id, kind, detail, at) values (?, 'sent', '{}', now() - interval '11 minutes')`;
      await change(event, [id]);
      await change(`update delegations set cost_sun = cost_sun + 1 where id = ?`, [id]);
      return keys;
    });
    expect(await reconciler.run('changed')).toMatchObject({ ok: true, whole: false });
    read.mockRestore();
    expect(await reconciler.run('changed')).toMatchObject({ ok: false, whole: false });
    expect(await open()).toEqual([`hold_amount delegation ${id}`]);
    await change(`update delegations set cost_sun = cost_sun - 1 where id = ?`, [id]);
    expect(await reconciler.run('changed')).toMatchObject({ ok: true, whole: false });
  });
});
