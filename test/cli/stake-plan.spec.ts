import { SchedulerRegistry } from '@nestjs/schedule';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { ReadBurnedFees } from '../../src/reporting/burned-bandwidth/read-burned-fees';
import { StakePlan } from '../../src/reporting/stake-plan/stake-plan';
import { OrderWorld } from '../support/order-world';
import { SharedCommandLine } from '../support/shared-command-line';

interface Figures {
  readonly orders_per_day: number;
  readonly stake_energy_sun: string;
  readonly stake_bandwidth_sun: string;
  readonly burned_sun_per_day: string;
  readonly burned_share_percent: number | null;
}
interface Plan extends Figures {
  readonly now: Figures;
  readonly order: { readonly energy: number; readonly bytes: number; readonly brought_sun: string };
  readonly week: { readonly orders: number; readonly burned_sun: string; readonly transactions_read: number };
  readonly network: Record<string, string>;
}

/** The local chain has the totals 180,000,000,000 energy for 19,000,000,000 TRX and 43,200,000,000 bytes for 27,000,000,000 TRX. */
describe('stake:plan on a pool without stake for bandwidth', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open({ bandwidthStakeTrx: 0, env: { RECLAIM_DELAY: '1s' } });
    await world.app.app.get(SchedulerRegistry).getCronJob('burned-bandwidth').stop();
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(() => Promise.all([cli.close(), world.close()]));

  const plan = (...args: string[]) => cli.json<Plan>('stake:plan', ...args);

  it('plans what the stake for energy carries before the first order, at the list price', async () => {
    expect(await plan()).toMatchObject({
      orders_per_day: 1_457,
      stake_bandwidth_sun: '513592500000',
      burned_sun_per_day: '821748000',
      burned_share_percent: 18.8,
      now: {
        orders_per_day: 0,
        stake_energy_sun: '10000000000000',
        stake_bandwidth_sun: '0',
        burned_sun_per_day: '0',
        burned_share_percent: null,
      },
      order: { energy: 65_000, bytes: 564, brought_sun: '3000000' },
      network: {
        energy_weight_trx: '19000000000',
        bandwidth_limit: '43200000000',
        said_by: new URL(world.chain.url).host,
      },
    });
  });

  it('plans for so many orders a day', async () => {
    expect(await plan('--orders-per-day', '1462')).toMatchObject({
      orders_per_day: 1_462,
      stake_energy_sun: '10030944444445',
      stake_bandwidth_sun: '515355000000',
      burned_sun_per_day: '824568000',
      burned_share_percent: 18.8,
    });
  });

  it('splits so much TRX between both', async () => {
    const split = await plan('--trx', '10546300');
    expect(split.orders_per_day).toBe(1_462);
    expect(BigInt(split.stake_energy_sun) + BigInt(split.stake_bandwidth_sun)).toBe(10_546_300_000_000n);
    expect(BigInt(split.stake_bandwidth_sun) / 1_000_000n).toBe(515_355n);
    // With orders besides, they burn what the stake of that split does not pay.
    const both = await plan('--trx', '10546300', '--orders-per-day', '2924');
    expect(both).toMatchObject({ orders_per_day: 2_924, stake_bandwidth_sun: split.stake_bandwidth_sun });
    expect(Number(both.burned_sun_per_day) / 1e6).toBeCloseTo(824.6, 0);
    expect((await plan('--trx', '10546300', '--orders-per-day', '1462')).burned_sun_per_day).toBe('0');
  });

  it('splits what a wallet freezes again by what it lacks', async () => {
    const { id } = (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'pool')!;
    const split = (trx: bigint) => world.app.app.get(StakePlan).splitRestake(id, trx * 1_000_000n);
    expect(await split(500n)).toEqual({ energySun: 0n, bandwidthSun: 500_000_000n });
    const large = await split(1_000_000n);
    // 564 bytes and 65,000 energy take 352.5 and 6,861.1 TRX of stake.
    expect(large.bandwidthSun / 1_000_000n).toBe(537_525n);
    expect(large.energySun + large.bandwidthSun).toBe(1_000_000_000_000n);
  });

  it('takes whole orders and TRX above nothing', async () => {
    for (const wrong of [
      ['--orders-per-day', '1.5'],
      ['--orders-per-day', '0'],
      ['--trx', '0'],
      ['--trx', '0.0000001'],
    ])
      expect((await cli.run('stake:plan', ...wrong)).exitCode).toBe(2);
  });

  it('counts the last week: orders, revenue, and what nodes say was burned', async () => {
    const caller = await world.caller({ balance: 1_000 });
    for (let order = 0; order < 2; order++) {
      const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 2 });
      await world.untilReclaimed(answer.headers.get('x-delegation-id')!);
    }
    await world.query(`update chain_transactions set created_at = created_at - interval '4 minutes' returning id`);
    await world.app.app.get(ReadBurnedFees).run();
    const { burnTrxAmount } = await world.node('wallet/getburntrx');
    const found = await plan();
    expect(found.week).toMatchObject({ orders: 2, burned_sun: String(burnTrxAmount), transactions_read: 4 });
    expect(found.order).toEqual({ energy: 130_000, bytes: 564, brought_sun: '6000000' });
    expect(found.now).toMatchObject({ orders_per_day: 1, burned_sun_per_day: '564000', burned_share_percent: 9.4 });
    const { stdout, stderr } = await cli.run('stake:plan');
    expect(stdout).toMatch(
      /^stake +orders_per_day +stake_energy_trx +stake_bandwidth_trx +burned_trx_per_day +burned_share_percent\n/,
    );
    expect(stdout).toMatch(/\nnow +1 +10000000\.000000 +0\.000000 +0\.564000 +9\.4\n/);
    expect(stderr).toContain(new URL(world.chain.url).host);
  });
});

describe('stake:plan of orders that quota pays', () => {
  it('counts their energy at the list price, or at the price that balances pay', async () => {
    const world = await OrderWorld.open({ env: { BILLING_VARIANT: 'B', DEFAULT_UNIT_PRICE: '2.5' } });
    const cli = SharedCommandLine.on(world.database.url, {
      TRON_FULL_NODE_URLS: world.chain.url,
      BILLING_VARIANT: 'B',
      DEFAULT_UNIT_PRICE: '2.5',
    });
    const order = async (row: Parameters<typeof world.caller>[0], amount: number) => {
      const answer = await world.delegate(await world.caller(row), {
        receiver_address: await world.receiver(),
        amount,
      });
      await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    };
    try {
      await order({ subscription: 100 }, 3);
      expect((await cli.json<Plan>('stake:plan')).order).toMatchObject({ energy: 195_000, brought_sun: '7500000' });
      await order({ balance: 100, unitPriceSun: 2_000_000n }, 1);
      // 2 TRX for 65,000 energy, and three times that by quota.
      expect((await cli.json<Plan>('stake:plan')).order).toMatchObject({ energy: 130_000, brought_sun: '4000000' });
    } finally {
      await Promise.all([cli.close(), world.close()]);
    }
  });
});

describe('stake:plan on a pool with more bandwidth than it uses', () => {
  it('burns nothing', async () => {
    const world = await OrderWorld.open();
    const cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
    try {
      const caller = await world.caller({ balance: 1_000 });
      const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
      await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
      const { now } = await cli.json<Plan>('stake:plan');
      expect(now).toMatchObject({
        orders_per_day: 1,
        stake_bandwidth_sun: '1000000000000',
        burned_sun_per_day: '0',
        burned_share_percent: 0,
      });
    } finally {
      await Promise.all([cli.close(), world.close()]);
    }
  });

  it('says so when the pool lacks a wallet that lends', async () => {
    const world = await OrderWorld.open();
    const cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
    try {
      await cli.run('pool:drain', 'pool');
      await cli.run('pool:remove', 'pool');
      const { exitCode, stderr } = await cli.run('stake:plan');
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('pool:add')]);
    } finally {
      await Promise.all([cli.close(), world.close()]);
    }
  });
});
