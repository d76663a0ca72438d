import { ChainReads } from '../../../src/chain/tron/node/chain-reads';
import type { NamedText } from '../../../src/database/statement';
import { OrderRepository } from '../../../src/delegation/order.repository';
import { Holdings } from '../../../src/deposits/sweeps/holdings';
import { OwnOrders } from '../../../src/deposits/sweeps/own-orders';
import { SweepEnergy } from '../../../src/deposits/sweeps/sweep-energy';
import { CLAIM_DUE, HAS_ENERGY, type SignedSweep } from '../../../src/deposits/sweeps/sweep.statements';
import { until } from '../../support/until';
import { SweepWorld } from './sweep-world';

const HOUR_MS = 3_600_000;
const ENERGY = 65_000n;

describe('the energy that a sweep of USDT waits for', () => {
  let sweeps: SweepWorld;
  beforeEach(async () => {
    sweeps = await SweepWorld.open();
    await sweeps.deposits.rate(3_000_000n);
  });
  afterEach(() => sweeps.close());

  async function signedSweep(): Promise<SignedSweep> {
    const { address } = await sweeps.deposits.customer();
    await sweeps.deposits.payUsdt(address, 25_000_000);
    await sweeps.settle();
    const plan = await sweeps.plan();
    await sweeps.takeFile(await sweeps.signedFile(plan.file, plan.expiresAt.getTime() - 12 * HOUR_MS));
    // Claimed, and its claim not written: no schedule sends it meanwhile.
    await sweeps.world.query(
      `update deposit_sweeps set waits_until = clock_timestamp() + interval '10 minutes' where address = $1 returning 1`,
      [address],
    );
    let claimed: SignedSweep[] = [];
    const undone = sweeps.world.app.sql.transaction(async (tx) => {
      const text = 'update deposit_sweeps set waits_until = null returning id';
      const due = await tx.rows<{ id: string }>({ name: 'test_due', text });
      claimed = await tx.rows(CLAIM_DUE, [0, due.map(({ id }) => id)]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    return claimed.find((one) => one.address === address)!;
  }
  const lackOf = (sweep: SignedSweep) => sweeps.world.app.app.get(SweepEnergy).lackOf(sweep, sweeps.treasury);
  const ordersFor = async (address: string) =>
    (await sweeps.world.query('select id from delegations where receiver = $1', [address])).map(({ id }) => String(id));
  /** Orders are answered once blocks have them. */
  async function withBlocks<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    await until('all that was asked', async () => isDone || (await sweeps.deposits.mine(), false));
    return done;
  }

  it('is ordered once by two processes that have taken up the same sweep', async () => {
    const sweep = await signedSweep();
    await withBlocks(Promise.allSettled([lackOf(sweep), lackOf(sweep)]));
    expect(await ordersFor(sweep.address)).toHaveLength(1);
  });

  const energyOrderOf = async ({ id }: SignedSweep) =>
    (await sweeps.world.query('select energy_order_id from deposit_sweeps where id = $1', [id]))[0]!['energy_order_id'];
  /** Ordered, and the process ended before it was noted; no node shows the energy yet. */
  async function orderedUnnoted(): Promise<SignedSweep> {
    const sweep = await signedSweep();
    jest.spyOn(sweeps.world.app.app.get(ChainReads), 'energyLeft').mockResolvedValue(0n);
    const { sql } = sweeps.world.app;
    const execute = sql.execute.bind(sql);
    const ending = jest
      .spyOn(sql, 'execute')
      .mockImplementation((statement: NamedText, values: readonly unknown[] = []) => {
        if (statement === HAS_ENERGY) throw new Error('ended');
        return execute(statement, values);
      });
    await expect(withBlocks(lackOf(sweep))).rejects.toThrow('ended');
    ending.mockRestore();
    expect(await energyOrderOf(sweep)).toBeNull();
    return sweep;
  }

  it('is ordered once where the process ends before its order is noted', async () => {
    const sweep = await orderedUnnoted();
    await withBlocks(lackOf(sweep));
    expect(await ordersFor(sweep.address)).toEqual([await energyOrderOf(sweep)]);
  });

  it('is ordered once more where the call takes more than the order of a process that has ended', async () => {
    const sweep = await orderedUnnoted();
    const [first] = await ordersFor(sweep.address);
    // The treasury had USDT, and has none any more.
    jest.spyOn(sweeps.world.app.app.get(Holdings), 'energyTo').mockResolvedValue(2n * ENERGY);
    await withBlocks(lackOf(sweep));
    const orders = await ordersFor(sweep.address);
    expect(orders).toHaveLength(2);
    expect(orders.filter((id) => id !== first)).toEqual([await energyOrderOf(sweep)]);
  });

  it('is not ordered again while its order is lent and no node shows the energy yet', async () => {
    const sweep = await signedSweep();
    const other = await sweeps.holding(1);
    // Lent to another address: what this one has shows nothing of it.
    const order = await withBlocks(sweeps.world.app.app.get(OwnOrders).place(other, ENERGY, 'another key'));
    await until('the order lent', async () => {
      await sweeps.deposits.mine();
      return (
        (await sweeps.world.query(`select 1 from delegations where id = $1 and state = 'delegated'`, [order])).length >
        0
      );
    });
    expect(await lackOf({ ...sweep, energy_order_id: order })).toBe(`it waits for the energy of order ${order}`);
    expect(await ordersFor(sweep.address)).toEqual([]);
  });

  /** A sweep that is over, whose energy is in the newest block: its delegation is not final. */
  async function overWithEnergy(): Promise<{ order: string; noted: () => Promise<unknown> }> {
    const sweep = await signedSweep();
    const lack = lackOf(sweep);
    // The activation of the address, then the delegation.
    for (const _ of [1, 2]) {
      await sweeps.world.untilPending();
      await sweeps.deposits.mine();
    }
    await lack;
    const [order] = await ordersFor(sweep.address);
    await sweeps.world.query(`update deposit_sweeps set state = 'expired' where id = $1 returning 1`, [sweep.id]);
    const noted = async () => {
      const rows = await sweeps.world.query('select energy_order_id from deposit_sweeps where id = $1', [sweep.id]);
      return rows[0]!['energy_order_id'];
    };
    return { order: order!, noted };
  }
  const end = () => sweeps.world.app.app.get(SweepEnergy).end();
  async function untilLent(order: string): Promise<void> {
    await sweeps.deposits.mine(6);
    await sweeps.world.untilState(order, 'delegated', 'reclaiming', 'reclaimed');
  }
  /** By the settings it would be lent for an hour. */
  const isDueEarly = async (order: string) =>
    (
      await sweeps.world.query(
        `select 1 from delegations where id = $1 and reclaim_due_at < delegated_at + interval '50 minutes'`,
        [order],
      )
    ).length === 1;

  it('is taken back before its time once its sweep is over, and not forgotten before its delegation is final', async () => {
    const { order, noted } = await overWithEnergy();
    await end();
    expect(await noted()).toBe(order);
    await untilLent(order);
    await end();
    expect([await noted(), await isDueEarly(order)]).toEqual([null, true]);
  });

  it('is taken back before its time also where its delegation becomes final while it is looked at', async () => {
    const { order, noted } = await overWithEnergy();
    const orders = sweeps.world.app.app.get(OrderRepository);
    const find = orders.find.bind(orders);
    jest.spyOn(orders, 'find').mockImplementationOnce(async (id) => {
      await untilLent(order);
      return find(id);
    });
    await end();
    expect([await noted(), await isDueEarly(order)]).toEqual([null, true]);
  });
});
