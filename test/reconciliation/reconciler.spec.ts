import { TronWeb } from 'tronweb';
import { Switches } from '../../src/chain/pool/switches/switches';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { ReclaimSweeper } from '../../src/delegation/reclaim/reclaim.sweeper';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { acknowledgeUse, watchFromNow } from '../support/by-hand';
import { insertUser } from '../support/factories';
import { breaksTheLedger } from '../support/ledger-consistency';
import { liftPromises } from '../support/lifted-promises';
import { OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { insertPastOrders, PAST_ORDER } from '../support/past-orders';
import { until } from '../support/until';

// That is what is to be found.
breaksTheLedger();

const CLEAN_ROWS = 100_000;
const FILLED = ['ledger_entries', 'holds', 'delegations', 'chain_transactions'];
/** Rows of each of the eight kinds. */
const PLANTED = 13;

describe('the reconciler', () => {
  let world: OrderWorld;
  let pool: { address: string; private_key: string };
  let tronWeb: TronWeb;

  beforeEach(async () => {
    world = await OrderWorld.open();
    await stopReconcilerTurns(world.app.app);
    await liftPromises(change);
    pool = world.chain.accounts.find(({ role }) => role === 'pool')!;
    tronWeb = new TronWeb({ fullHost: world.chain.url, privateKey: pool.private_key });
  });
  afterEach(() => world.close());

  const run = () => world.app.app.get(Reconciler).run();
  const change = (text: string, values: unknown[] = []) => world.app.orm.em.fork().execute(text, values);

  /** Orders that are lent and solid, each to a receiver of its own. */
  async function lend(count: number) {
    const caller = await world.caller({ balance: 100_000 });
    return Promise.all(
      Array.from({ length: count }, async () => {
        const receiver = await world.receiver();
        const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
        const id = answer.headers.get('x-delegation-id')!;
        const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
        return { id, receiver, stakeSun: Number(stakeSun) };
      }),
    );
  }
  async function outside(kind: 'delegate' | 'undelegate', receiver: string, sun: number) {
    const builder = tronWeb.transactionBuilder;
    const transaction =
      kind === 'delegate'
        ? await builder.delegateResource(sun, receiver, 'ENERGY', pool.address, false)
        : await builder.undelegateResource(sun, receiver, 'ENERGY', pool.address);
    // This test looks at the stake that it moves.
    await acknowledgeUse(world, transaction.txID, pool.address);
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
    expect(sent.result).toBe(true);
  }
  async function solid() {
    await world.control('block', { count: 6 });
  }

  it('finds every planted anomaly of eight kinds among clean rows, and nothing else', async () => {
    const [wallet] = await world.app.app.get(PoolWallets).list();
    const payer = await insertUser(world.app.orm);
    // The planner's statistics are of before: all that they know of is a single credit.
    await insertUser(world.app.orm, { balance: 1 });
    for (const table of FILLED) await change(`alter table ${table} set (autovacuum_enabled = off)`);
    await change('analyze');
    await insertPastOrders(world.app.sql, CLEAN_ROWS, payer, wallet!.id);
    const lent = await lend(3 * PLANTED + 5);

    const expected: string[] = [];
    const expectFinding = (kind: string, subject: string) => expected.push(`${kind} ${subject}`);
    for (let n = 0; n < PLANTED; n++) {
      // Orphan: stake that no order explains.
      const stranger = await world.receiver();
      await outside('delegate', stranger, 5_000_000 + n);
      expectFinding('delegation_foreign', `pool to ${stranger}`);
      // Double: an order's stake once more.
      const doubled = lent[n]!;
      await outside('delegate', doubled.receiver, doubled.stakeSun);
      expectFinding('delegation_double', `pool to ${doubled.receiver}`);
      // Foreign undelegation.
      const robbed = lent[PLANTED + n]!;
      await outside('undelegate', robbed.receiver, robbed.stakeSun - n);
      expectFinding('undelegation_foreign', `pool to ${robbed.receiver}`);
      // Stake not released although the row says so.
      const kept = lent[2 * PLANTED + n]!;
      await change(
        `update delegations set state = 'reclaimed', reclaimed_at = now() - interval '2 hours' where id = ?`,
        [kept.id],
      );
      expectFinding('stake_not_released', `delegation ${kept.id}`);
      expectFinding('stake_not_released', `pool to ${kept.receiver}`);
    }
    const ids = async (from: number, count = PLANTED) => {
      const numbers = Array.from({ length: count }, (_, n) => PAST_ORDER(from + n)).join(', ');
      const rows = await world.query(`select unnest(array[${numbers}])::text as id`);
      return rows.map(({ id }) => String(id));
    };
    // Missing: rows of a delegation that the chain does not have.
    for (const id of await ids(1)) {
      const receiver = await world.receiver();
      await change(
        `update delegations set state = 'delegated', receiver = ?, reclaim_due_at = now() + interval '1 hour', reclaimed_at = null where id = ?`,
        [receiver, id],
      );
      await change(`update chain_transactions set state = 'dead' where subject_id = ? and purpose = 'reclaim'`, [id]);
      expectFinding('delegation_missing', `pool to ${receiver}`);
    }
    // Wrong amount.
    for (const id of await ids(100)) {
      await change(
        `update chain_transactions set amount_sun = amount_sun + 1 where subject_id = ? and purpose = 'delegation'`,
        [id],
      );
      expectFinding('wrong_amount', `delegation ${id}`);
    }
    // Stuck hold: the order never settles and nothing of it is under way. The newest orders: no later entry's balance follows from theirs.
    for (const id of await ids(CLEAN_ROWS - PLANTED + 1)) {
      const holder = await insertUser(world.app.orm, { balance: 10 });
      await change(`update accounts set held_sun = 3000000 where user_id = ?`, [holder]);
      await change(
        `update delegations set state = 'sent', user_id = ?, receiver = ?, reclaimed_at = null where id = ?`,
        [holder, await world.receiver(), id],
      );
      await change(
        `update holds set state = 'held', user_id = ?, created_at = now() - interval '1 hour' where delegation_id = ?`,
        [holder, id],
      );
      await change(`delete from ledger_entries where delegation_id = ?`, [id]);
      expectFinding('hold_stuck', `delegation ${id}`);
    }
    await change(`update accounts set balance_sun = 3000000::bigint * ? where user_id = ?`, [PLANTED, payer]);
    // Drifted balance.
    for (let n = 0; n < PLANTED; n++) {
      const drifted = await insertUser(world.app.orm, { balance: 10 });
      await change(`update accounts set balance_sun = balance_sun + 1 where user_id = ?`, [drifted]);
      expectFinding('ledger_sum', `user ${drifted}`);
    }
    await solid();

    const { findings, paused, alarms } = await run();
    expect(alarms).toEqual([]);
    expect(findings.map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual(expected.toSorted());
    expect(paused).toEqual(['pool']);
    const stored = await world.app.app.get(FindingRepository).list();
    expect(stored).toHaveLength(expected.length);
    expect(stored.every(({ reason, next_step: next }) => reason !== '' && next !== '')).toBe(true);
  });

  it('pauses a wallet that is not explained, once, and reclaims go on', async () => {
    const [order, later] = await lend(2);
    await outside('undelegate', order!.receiver, 1_000_000);
    await solid();
    expect(await run()).toMatchObject({ ok: false, paused: ['pool'], findings: [{ kind: 'undelegation_foreign' }] });
    const caller = await world.caller({ balance: 10 });
    const refused = await world.delegate(caller, { receiver_address: later!.receiver, amount: 1 });
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([501, 'PAUSED']);

    await change(`update delegations set reclaim_due_at = now() - interval '1 day' where id = ?`, [later!.id]);
    expect(await world.app.app.get(ReclaimSweeper).sweep()).toMatchObject({ failed: 0 });
    await world.untilState(later!.id, 'reclaimed');

    await world.app.app.get(PoolWallets).setState('pool', 'active');
    expect(await run()).toMatchObject({ ok: false, paused: [] });
    const [finding] = await world.app.app.get(FindingRepository).list();
    expect(finding).toMatchObject({ kind: 'undelegation_foreign', action: 'paused: pool takes no new orders' });
  });

  it('settles a hold that was left behind as the order says, and corrects a held amount', async () => {
    const [order] = await lend(1);
    const user = (await world.query('select user_id from delegations where id = $1', [order!.id]))[0]!['user_id'];
    await change(`delete from ledger_entries where kind = 'charge'`);
    await change(`update holds set state = 'held', settled_at = null`);
    await change(`update accounts set balance_sun = balance_sun + 3000000, held_sun = 500 where user_id = ?`, [user]);
    expect(await run()).toMatchObject({ ok: false, mended: 2, paused: [] });
    expect(await run()).toMatchObject({ ok: true, mended: 0 });
    const all = await world.app.app.get(FindingRepository).list({ resolved: true });
    expect(all.length).toBeGreaterThan(0);
    expect(all.every(({ action, resolved_at: at }) => action?.startsWith('repaired') && at !== null)).toBe(true);
  });

  it('gives back what was held for an order that was answered with a failure, although it was lent', async () => {
    const [order] = await lend(1);
    const user = (await world.query('select user_id from delegations where id = $1', [order!.id]))[0]!['user_id'];
    await change(`update delegations set answer = 'failure'`);
    await change(`delete from ledger_entries where kind = 'charge'`);
    await change(`update holds set state = 'held', settled_at = null`);
    await change(
      `update accounts set balance_sun = balance_sun + 3000000, held_sun = held_sun + 3000000 where user_id = ?`,
      [user],
    );
    expect(await run()).toMatchObject({ ok: false, mended: 1 });
    const paid = await world.query(
      `select h.state, a.held_sun, a.balance_sun from holds h join accounts a using (user_id)`,
    );
    expect(paid).toEqual([{ state: 'released', held_sun: 0n, balance_sun: 100_000_000_000n }]);
    expect(await run()).toMatchObject({ ok: true, mended: 0 });
  });

  it('raises an alarm for low stake, bandwidth and TRX before orders fail', async () => {
    const { address } = pool;
    const activate = world.chain.accounts.find(({ role }) => role === 'activate')!;
    await world.control('account', { address, balance_sun: 0, staked_energy_sun: 50_000_000_000 });
    await world.control('account', { address: activate.address, balance_sun: 20_000_000 });
    await solid();
    await watchFromNow(world);
    const { ok, alarms, paused } = await until('an alarm', async () => {
      await world.tryToReadWallets();
      const result = await run();
      return result.alarms.length === 2 && result;
    });
    expect({ ok, paused }).toEqual({ ok: true, paused: [] });
    expect(alarms.map(({ kind }) => kind).toSorted()).toEqual(['low_stake', 'low_trx']);
    const caller = await world.caller({ balance: 10 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
  });

  it('is beside a switch for all new orders', async () => {
    const switches = world.app.app.get(Switches);
    const caller = await world.caller({ balance: 10 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    expect(await switches.pause('orders', 'maintenance')).toMatchObject({ paused: true, reason: 'maintenance' });
    const refused = await world.delegate(caller, body);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([501, 'PAUSED']);
    expect(await world.get(caller, '/api/user/balance')).toMatchObject({ body: { data: { balance: 10 } } });
    expect(await switches.resume('orders')).toEqual({ paused: false, since: null, reason: null });
    expect((await world.delegate(caller, body)).status).toBe(200);
  });
});
