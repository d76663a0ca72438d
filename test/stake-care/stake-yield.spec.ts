import BigNumber from 'bignumber.js';
import { LedgerService } from '../../src/balance/ledger.service';
import { SubscriptionService } from '../../src/billing/subscription.service';
import { Sql } from '../../src/database/sql';
import { BurnedWeeks } from '../../src/reporting/burned-bandwidth/burned-week';
import { WalletRevenue } from '../../src/reporting/wallet-revenue/wallet-revenue';
import { StakeOverview } from '../../src/stake-care/stake-overview';
import { until } from '../support/until';
import { CareWorld, DAY_MS, HOUR_MS } from './care-world';

const YEAR_MS = 365 * DAY_MS;
const STAKE_SUN = 11_000_000_000_000;

describe('what a stake earns in a year', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open();
  });
  afterAll(() => care.world.close());

  const show = () => care.world.app.app.get(StakeOverview).show('pool');
  const claims = async () => (await care.operations()).filter(({ kind }) => kind === 'claim');
  async function claim(afterMs: number): Promise<void> {
    await care.later(afterMs);
    await care.run();
    await care.settle();
    // What it has brought is read with the next run.
    await care.run();
  }

  it('is not known before the second claim, for nothing says how long the first reward took', async () => {
    await care.care();
    await care.run();
    await care.settle();
    await care.later(6 * HOUR_MS);
    await claim(6 * HOUR_MS);
    expect(await claims()).toHaveLength(1);
    expect((await show()).yieldPercent).toBeNull();
  });

  it('is what the claims since have brought, by block time from claim to claim', async () => {
    await claim(DAY_MS);
    await claim(2 * DAY_MS);
    const [first, second, third] = await claims();
    const elapsedMs = third!.final_at!.getTime() - first!.final_at!.getTime();
    expect(elapsedMs).toBeGreaterThan(3 * DAY_MS);
    const brought = Number(second!.amount_sun! + third!.amount_sun!);
    const percent = (brought / STAKE_SUN) * (YEAR_MS / elapsedMs) * 100;
    expect((await show()).yieldPercent).toBe(Math.round(percent * 100) / 100);
  });

  it('is, of orders, what they have brought since the first one of thirty days', async () => {
    expect((await show()).ordersYieldPercent).toBeNull();
    const answer = care.world.delegate(await care.world.caller({ balance: 10_000_000_000 }), {
      receiver_address: await care.world.receiver(),
      amount: 100,
    });
    await care.world.untilPending(1);
    await care.blocks(6);
    expect((await answer).status).toBe(200);
    await care.later(2 * DAY_MS);
    const [order] = await care.world.query(
      `select cost_sun::float8 as sun, (extract(epoch from delegated_at) * 1000)::float8 as ms from delegations`,
    );
    const head = (await care.world.node('wallet/getblock', { detail: false })) as {
      block_header: { raw_data: { timestamp: number } };
    };
    const elapsedMs = head.block_header.raw_data.timestamp - (order!['ms'] as number);
    const percent = ((order!['sun'] as number) / STAKE_SUN) * (YEAR_MS / elapsedMs) * 100;
    const shown = (await show()).ordersYieldPercent!;
    expect(Math.abs(shown - percent)).toBeLessThan(0.01);
    expect(percent).toBeGreaterThan(0.1);
    // Blocks may come faster than every three seconds.
    const setOn = (blocks: number) =>
      care.world.query(`update chain_identity set final_number = final_number + ${blocks} returning 1`);
    await setOn(1_000_000);
    expect((await show()).ordersYieldPercent).toBe(shown);
    await setOn(-1_000_000);
  });

  it('counts quota at the price that it was sold for', async () => {
    const { app } = care.world.app;
    const [wallet] = await care.world.query(`select id from pool_wallets where name = 'pool'`);
    const brought = async () => {
      const [row] = await care.world.query('select read_ms::float8 as ms from stake_readings');
      const { sun } = await app.get(WalletRevenue).read(wallet!['id'] as string, (row!['ms'] as number) + DAY_MS);
      return [sun, (await app.get(BurnedWeeks).last()).broughtSun] as const;
    };
    const caller = await care.world.caller({ balance: 10_000_000 });
    const price = { priceSun: 7_000_000n, paidBy: 'balance' } as const;
    await app.get(Sql).transaction(async (tx) => {
      const sold = { userId: caller.id, reference: 'sold', price };
      const quota = { ...sold, transactions: new BigNumber(50), days: 30, timeMs: Date.now() - DAY_MS };
      const { id: subscriptionId } = await app.get(SubscriptionService).create(quota, tx);
      await app
        .get(LedgerService)
        .sell({ userId: caller.id, reference: 'sold', subscriptionId, ...price, note: '' }, tx);
    });
    const before = await brought();
    const answer = care.world.delegate(caller, { receiver_address: await care.world.receiver(), amount: 10 });
    await care.world.untilPending(1);
    await care.blocks(6);
    expect((await answer).status).toBe(200);
    await until('the quota is used', async () => {
      await care.blocks(1);
      const taken = `select 1 from holds where state = 'taken' and subscription_id is not null`;
      return (await care.world.query(taken)).length === 1;
    });
    const after = await brought();
    expect([after[0] - before[0], after[1] - before[1]]).toEqual([1_400_000n, 1_400_000n]);
  });
});
