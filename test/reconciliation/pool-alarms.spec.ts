import { Capacity } from '../../src/chain/pool/wallets/capacity';
import { energyOfStake, stakeForEnergyCeil, stakeOfEnergy } from '../../src/chain/tron/energy';
import { PoolAlarms } from '../../src/reconciliation/alarms/pool.alarms';
import { OrderWorld } from '../support/order-world';

const ENERGY_OF_ONE = 65_000n;

describe('an alarm of what runs out soon', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    // Nothing reads the wallets again over what the test has set.
    world = await OrderWorld.open({ backgroundWork: false });
    await world.addKey('other', await world.receiver(), 'delegate', 'f'.repeat(64), 0);
    await world.app.app.get(Capacity).refresh();
  });
  afterAll(() => world.close());

  const alarms = async (kind: string) =>
    (await world.app.app.get(PoolAlarms).read())
      .filter((alarm) => alarm.kind === kind)
      .map(({ subject, parameters }) => ({ subject, ...parameters }));
  const set = (wallet: string, columns: string, values: readonly bigint[]) =>
    world.query(`update pool_wallets set ${columns}, observed_at = now() where name = '${wallet}' returning 1`, [
      ...values,
    ]);

  it('is raised where the free stake of all wallets together is short of ten transactions', async () => {
    const rate = world.app.app.get(Capacity).rate!;
    const lend = async (pool: bigint, other: bigint) => {
      await set('pool', 'delegable_sun = $1', [pool]);
      await set('other', 'delegable_sun = $1', [other]);
    };
    const half = stakeForEnergyCeil(5n * ENERGY_OF_ONE, rate, 0n);
    await lend(half, half);
    expect(await alarms('low_stake')).toEqual([]);
    const less = stakeOfEnergy(5n * ENERGY_OF_ONE - 1n, rate);
    expect(energyOfStake(less, rate)).toBeGreaterThan(4n * ENERGY_OF_ONE);
    await lend(half, less);
    expect(await alarms('low_stake')).toEqual([{ subject: 'pool', transactions: '9' }]);
  });

  it('is raised of a wallet whose bandwidth and TRX pay for less than a hundred orders, each with its reclaim', async () => {
    const bytes = 'bandwidth = $1, free_bandwidth = 0, balance_sun = $2';
    await set('pool', bytes, [199n * 300n, 300_000n]);
    await set('other', bytes, [200n * 300n, 0n]);
    expect(await alarms('low_bandwidth')).toEqual([]);
    await set('pool', bytes, [199n * 300n, 299_999n]);
    expect(await alarms('low_bandwidth')).toEqual([
      { subject: 'pool', bandwidth: '59700', balance_sun: '299999', orders_paid: '99' },
    ]);
  });

  it('is raised of a wallet whose TRX pay for less than twenty activations', async () => {
    // 1 TRX to the new account, and the network's fees for it: 1 TRX and 0.1 TRX.
    await set('activate', 'balance_sun = $1', [42_000_000n]);
    expect(await alarms('low_trx')).toEqual([]);
    await set('activate', 'balance_sun = $1', [41_999_999n]);
    expect(await alarms('low_trx')).toEqual([{ subject: 'activate', balance_sun: '41999999', activations: '19' }]);
  });
});
