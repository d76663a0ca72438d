import { DepositWorld, TRX } from './deposit-world';

const HOUR_MS = 3_600_000;

describe('what a USDT counts', () => {
  let deposits: DepositWorld;
  beforeEach(async () => (deposits = await DepositWorld.open({ env: { DEPOSIT_RATE_MAX_AGE: '2h' } })));
  afterEach(() => deposits.close());

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
});
