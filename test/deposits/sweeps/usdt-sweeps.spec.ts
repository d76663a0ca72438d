import { readFileSync } from 'node:fs';
import { UnexplainedHoldings } from '../../../src/deposits/unexplained-holdings';
import { until } from '../../support/until';
import { TRX } from '../deposit-world';
import { SweepWorld } from './sweep-world';

const HOUR_MS = 3_600_000;
/** In thousandths of a transaction of 65,000. */
const [A_TRANSFER, TO_NO_HOLDER] = [65_000, 131_040];

interface PlannedInFile {
  readonly address: string;
  readonly asset: string;
  readonly takes: { readonly bandwidth: number; readonly energy?: number };
}

describe('USDT that customers have paid in is swept', () => {
  let sweeps: SweepWorld;
  beforeAll(async () => {
    sweeps = await SweepWorld.open();
    await sweeps.deposits.rate(3_000_000n);
  });
  afterAll(() => sweeps.close());

  const ordersFor = (address: string) =>
    sweeps.world.query(
      `select d.state, d.cost_sun, d.energy::int as energy, d.activates, d.answer from delegations d where receiver = $1 order by d.id`,
      [address],
    );

  it('whole: the pool lends the energy for nothing, activates the address, and takes the energy back once the transfer is final', async () => {
    const address = await sweeps.holdingUsdt(25_000_001);
    await sweeps.settle();
    const plan = await sweeps.sweepAll();
    expect(plan).toMatchObject({ sweeps: 1, sun: 0n, units: 25_000_001n });
    await sweeps.untilEnded(address, 'final');
    expect([await sweeps.usdtOf(address), await sweeps.usdtOf(sweeps.treasury)]).toEqual([0n, 25_000_001n]);
    const takenBack = async () => {
      await sweeps.deposits.mine();
      return (await ordersFor(address))[0]!['state'] === 'reclaimed';
    };
    await until('the energy taken back', takenBack);
    expect(await ordersFor(address)).toEqual([
      { state: 'reclaimed', cost_sun: 0n, energy: TO_NO_HOLDER, activates: true, answer: 'success' },
    ]);
    expect((await sweeps.world.audit()).findings).toEqual([]);
    expect(await sweeps.world.query(`select 1 from ledger_entries where kind = 'charge'`)).toEqual([]);
    // The TRX that its activation has brought explain themselves, and enter the next plan.
    await sweeps.settle();
    await sweeps.readHoldings([address]);
    expect(await sweeps.world.app.app.get(UnexplainedHoldings).list()).toEqual([]);
    expect(await sweeps.sweepAll()).toMatchObject({ sweeps: 1, sun: 1_000_000n, units: 0n });
    // Free bandwidth is enough for the second sweep of a day once a little of it has come back.
    await sweeps.later(3 * HOUR_MS);
    await sweeps.untilEnded(address, 'final');
    await sweeps.settle();
    await sweeps.readHoldings([address]);
    expect(await sweeps.world.app.app.get(UnexplainedHoldings).list()).toEqual([]);
  });

  it('beside the TRX of the same address, which pay for nothing of it', async () => {
    const address = await sweeps.holdingUsdt(40_000_000);
    await sweeps.deposits.payTrx(address, 3 * TRX);
    await sweeps.settle();
    const [usdt, sun] = [await sweeps.usdtOf(sweeps.treasury), await sweeps.sunOf(sweeps.treasury)];
    expect(await sweeps.sweepAll()).toMatchObject({ sweeps: 2, sun: 3_000_000n, units: 40_000_000n });
    const swept = async (asset: string) => (await sweeps.of(address)).find((one) => one.asset === asset)!.state;
    await until('the TRX in a block', async () => {
      await sweeps.due();
      await sweeps.deposits.mine();
      return (await swept('TRX')) === 'final';
    });
    expect(await swept('USDT')).toBe('signed');
    await sweeps.later(3 * HOUR_MS);
    const states = async () => (await sweeps.of(address)).map(({ state }) => state);
    await until('both final', async () => {
      await sweeps.due();
      await sweeps.deposits.mine();
      return (await states()).every((state) => state === 'final');
    });
    await sweeps.deposits.mine(6);
    expect((await sweeps.usdtOf(sweeps.treasury)) - usdt).toBe(40_000_000n);
    expect((await sweeps.sunOf(sweeps.treasury)) - sun).toBe(3_000_000n);
    expect((await ordersFor(address)).map(({ energy }) => energy)).toEqual([A_TRANSFER]);
  });

  it('not by a call that fails in its block: it is failed, and the next plan has the USDT', async () => {
    const address = await sweeps.holdingUsdt(30_000_000);
    await sweeps.settle();
    await sweeps.sendAtOnce(address);
    // Its USDT are gone before the call is in a block.
    expect(await ordersFor(address)).toEqual([]);
    await sweeps.world.control('token', { address, balance: 7 });
    await sweeps.untilEnded(address, 'failed');
    await sweeps.world.control('token', { address, balance: 30_000_000 });
    await sweeps.deposits.mine(6);
    expect((await sweeps.of(address))[0]!.error).toContain('failed in the block');
    expect(await sweeps.usdtOf(address)).toBe(30_000_000n);
    expect(await sweeps.plan()).toMatchObject({ sweeps: 1, units: 30_000_000n });
  });

  it('never by a call of another contract than the settings name, which may have changed since the plan', async () => {
    const address = await sweeps.holdingUsdt(20_000_000);
    await sweeps.settle();
    const plan = await sweeps.plan();
    const signed = await sweeps.sign(plan.file, plan.expiresAt.getTime() - 12 * HOUR_MS);
    const elsewhere = await sweeps.world.startInstance({ USDT_CONTRACT: sweeps.treasury }, false);
    await expect(sweeps.take(signed, elsewhere)).rejects.toThrow(`does not call ${sweeps.treasury}`);
    await sweeps.world.stopInstance(elsewhere);
    expect(await sweeps.of(address)).toMatchObject([{ state: 'planned' }]);
  });

  it('by a plan that says what each takes of its address and of the pool, by what the treasury holds', async () => {
    const address = await sweeps.holdingUsdt(15_000_000);
    await sweeps.deposits.payTrx(address, 2 * TRX);
    await sweeps.settle();
    const takes = async () => {
      const plan = await sweeps.plan();
      const { sweeps: planned } = JSON.parse(readFileSync(plan.file, 'utf8')) as { sweeps: PlannedInFile[] };
      expect(planned.reduce((sum, { takes: { energy = 0 } }) => sum + energy, 0)).toBe(plan.energy);
      await sweeps.later(13 * HOUR_MS);
      return planned.filter((one) => one.address === address).map(({ asset, takes: one }) => [asset, one]);
    };
    const trx = ['TRX', { bandwidth: expect.any(Number) as number }];
    expect(await takes()).toEqual([trx, ['USDT', { bandwidth: 345, energy: 64_285 }]]);
    await sweeps.world.control('token', { address: sweeps.treasury, balance: 0 });
    await sweeps.settle();
    expect(await takes()).toEqual([trx, ['USDT', { bandwidth: 345, energy: 130_285 }]]);
  });
});
