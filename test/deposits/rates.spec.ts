import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { DepositAdminService } from '../../src/admin/deposit-admin.service';
import { DepositRates } from '../../src/deposits/deposit-rates';
import { until } from '../support/until';
import { DepositWorld, TRX } from './deposit-world';

const HOUR_MS = 3_600_000;

describe('what a USDT counts', () => {
  let deposits: DepositWorld;
  beforeEach(async () => (deposits = await DepositWorld.open({ env: { DEPOSIT_RATE_MAX_AGE: '2h' } })));
  afterEach(async () => {
    jest.restoreAllMocks();
    await deposits.close();
  });

  it('is the rate that was in force when the block was made, whatever it is when the block is final', async () => {
    await deposits.rate(3_000_000n);
    const customer = await deposits.customer();
    await deposits.mine();
    await deposits.payUsdt(customer.address, 10 * TRX);
    await deposits.mine();
    await deposits.world.untilRow(`select 1 from deposits where state = 'seen'`);
    await deposits.rate(9_000_000n);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ rate: 3, credited: 30, state: 'credited' }]);
    await deposits.payUsdt(customer.address, 10 * TRX);
    await deposits.settle();
    expect(await deposits.balanceSun(customer)).toBe(120_000_000n);
  });

  it('is nothing without a rate, after it was taken back, and by one that is too old: the deposit waits', async () => {
    const customer = await deposits.customer();
    const pay = async () => {
      await deposits.payUsdt(customer.address, 10 * TRX);
      await deposits.settle();
      return (await deposits.list(customer))[0];
    };
    expect(await pay()).toMatchObject({ state: 'waiting', rate: null, credited: null });
    await deposits.rate(3_000_000n);
    expect(await pay()).toMatchObject({ state: 'credited', credited: 30 });
    await deposits.rate(null);
    expect(await pay()).toMatchObject({ state: 'waiting' });
    await deposits.rate(4_000_000n);
    await deposits.world.control('clock', { ms: HOUR_MS });
    expect(await pay()).toMatchObject({ state: 'credited', credited: 40 });
    await deposits.world.control('clock', { ms: HOUR_MS });
    expect(await pay()).toMatchObject({ state: 'waiting', rate: null });
    // TRX need none.
    await deposits.payTrx(customer.address, TRX);
    await deposits.settle();
    expect(await deposits.balanceSun(customer)).toBe(71_000_000n);
  });

  it('is asked for again while an instance does not know yet whether rows are missing', async () => {
    await deposits.rate(3_000_000n);
    const customer = await deposits.customer();
    const known = jest.spyOn(ReferenceBlocks.prototype, 'rememberedNumber').mockReturnValue(null);
    const asked = jest.spyOn(DepositRates.prototype, 'sunAt');
    await deposits.payUsdt(customer.address, 10 * TRX);
    await deposits.mine(6);
    await until('the rate asked for', async () => asked.mock.calls.length > 0);
    await Promise.allSettled(asked.mock.results.map(({ value }) => value as Promise<unknown>));
    for (const state of await deposits.states()) expect(state).toBe('seen');
    known.mockRestore();
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ state: 'credited', credited: 30 }]);
  });

  it('is never worth more than an account can hold: the deposit waits for an operator, and holds up no other', async () => {
    const [customer, other] = [await deposits.customer(), await deposits.customer()];
    await deposits.rate(10n ** 18n);
    await deposits.payUsdt(customer.address, 20 * TRX);
    await deposits.payTrx(other.address, 3 * TRX);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ state: 'waiting', credited: null }]);
    const [row] = await deposits.world.query('select waits_for from deposits where user_id = $1', [customer.id]);
    expect(row).toEqual({ waits_for: 'operator' });
    expect(await deposits.balanceSun(customer)).toBe(0n);
    expect(await deposits.balanceSun(other)).toBe(3_000_000n);
  });

  it('is in force from the newest final block on where the chain is ahead, and too old by the chain too', async () => {
    const { app } = deposits.world.app;
    const set = (sunPerUsdt: bigint) => app.get(DepositAdminService).setRate({ id: null, address: 'test' }, sunPerUsdt);
    const rates = app.get(DepositRates);
    await deposits.world.control('clock', { ms: HOUR_MS });
    await deposits.settle();
    const { sinceMs } = await set(3_000_000n);
    expect(sinceMs).toBeGreaterThan(Date.now() + HOUR_MS / 2);
    expect(await rates.sunNow()).toBe(3_000_000n);
    // Set by a clock that was set back since.
    await deposits.world.query(
      `insert into deposit_rates (sun_per_usdt, since) values (5000000, clock_timestamp() + interval '90 minutes') returning id`,
    );
    expect((await set(4_000_000n)).sinceMs).toBeGreaterThan(sinceMs);
    expect(await rates.sunNow()).toBe(4_000_000n);
    await deposits.world.control('clock', { ms: 3 * HOUR_MS });
    await deposits.settle();
    expect(await rates.sunNow()).toBeNull();
  });

  it('that makes more of a deposit than a balance can hold is refused for that one, and keeps no other', async () => {
    const [huge, other] = [await deposits.customer(), await deposits.customer()];
    await deposits.rate(null);
    for (const { address } of [huge, other]) await deposits.payUsdt(address, 20 * TRX);
    await deposits.settle();
    await deposits.world.query('update deposits set amount = 9000000000000000000 where user_id = $1 returning 1', [
      huge.id,
    ]);
    await deposits.rate(2_000_000n);
    const admin = deposits.world.app.app.get(DepositAdminService);
    expect(await admin.creditWaiting({ id: null, address: 'test' })).toEqual({ credited: 1, failed: 1 });
    expect([await deposits.balanceSun(huge), await deposits.balanceSun(other)]).toEqual([0n, 40_000_000n]);
  });
});
