import BigNumber from 'bignumber.js';
import type { Price } from '../../src/billing/subscription.service';
import { TrialBalance } from '../../src/reporting/books/trial-balance';
import { Money, TRX } from '../support/money';

const ALL = { from: new Date('2018-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };
const MOST = 9_223_372_036_854_775_807n;

describe('prepaid quota that is sold', () => {
  let money: Money;
  beforeAll(async () => {
    money = await Money.open();
  });
  afterEach(() => money.expectConsistent());
  afterAll(() => money.close());

  /** As an operator's act does it, in one transaction. */
  const sell = (userId: string, price: Price, reference: string) =>
    money.sql.transaction(async (tx) => {
      const quota = { userId, transactions: new BigNumber(10), days: 30, timeMs: Date.now(), reference, price };
      const created = await money.subscriptions.create(quota, tx);
      const sale = { userId, subscriptionId: created.id, ...price, reference, note: '10 transactions' };
      if (!created.repeated) await money.ledger.sell(sale, tx);
      return created;
    });
  const fromBalance = (priceSun: bigint): Price => ({ priceSun, paidBy: 'balance' });
  const outside = (priceSun: bigint): Price => ({ priceSun, paidBy: 'reference' });
  const entries = async (userId: string) =>
    (await money.ledger.listEntries(userId)).map(({ kind, amountSun, balanceSun, reference }) => [
      kind,
      amountSun,
      balanceSun,
      reference,
    ]);
  const quotas = async (userId: string) => (await money.subscriptions.list(userId)).length;

  it('never takes what is promised to an order, nor more than the balance, and is not made then', async () => {
    const userId = await money.payer(10n * TRX);
    const { id } = await money.orders.place(userId, '2');
    const spendable = await money.availableSun(userId);
    await expect(sell(userId, fromBalance(spendable + 1n), 'inv-1')).rejects.toThrow('insufficient balance');
    expect(await quotas(userId)).toBe(0);
    expect(await entries(userId)).toHaveLength(1);
    await sell(userId, fromBalance(spendable), 'inv-1');
    expect(await money.availableSun(userId)).toBe(0n);
    await money.orders.land(id);
  });

  it('takes a reference once: not after a credit with it, not at another price, and not from another payer', async () => {
    const userId = await money.payer(100n * TRX);
    await money.ledger.credit({ userId, amountSun: 5n * TRX, note: 'paid', reference: 'inv-7' });
    await expect(sell(userId, outside(5n * TRX), 'inv-7')).rejects.toThrow(
      '"inv-7" was already used for a credit of 5.000000',
    );
    await expect(sell(userId, fromBalance(5n * TRX), 'inv-7')).rejects.toThrow('"inv-7" was already used for a credit');
    await sell(userId, outside(8n * TRX), 'inv-8');
    const payments = money.ledger.credit({ userId, amountSun: 8n * TRX - 1n, note: '', reference: 'inv-8' });
    await expect(payments).rejects.toThrow('"inv-8" was already used');
    for (const other of [outside(9n * TRX), fromBalance(8n * TRX)])
      await expect(sell(userId, other, 'inv-8')).rejects.toThrow('"inv-8" was already used for another subscription');
    expect(await quotas(userId)).toBe(1);
  });

  it('is sold once when it is asked for again, or by several at once', async () => {
    const userId = await money.payer(100n * TRX);
    const sold = await sell(userId, fromBalance(30n * TRX), 'inv-1');
    expect(await sell(userId, fromBalance(30n * TRX), 'inv-1')).toEqual({ ...sold, repeated: true });
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => sell(userId, fromBalance(60n * TRX), 'inv-2')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await entries(userId)).toEqual([
      ['quota', -60n * TRX, 10n * TRX, 'inv-2'],
      ['quota', -30n * TRX, 70n * TRX, 'inv-1'],
      ['credit', 100n * TRX, 100n * TRX, null],
    ]);
    expect(await quotas(userId)).toBe(2);
  });

  it('that several sell at once from one balance takes no more than there is', async () => {
    const userId = await money.payer(100n * TRX);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => sell(userId, fromBalance(40n * TRX), `inv-${n}`)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await money.availableSun(userId)).toBe(20n * TRX);
    expect(await quotas(userId)).toBe(2);
  });

  it('paid outside of the balance comes in and goes out, and leaves balance and low-balance events as they are', async () => {
    const userId = await money.payer(10n * TRX);
    await money.run('update accounts set low_balance_sun = $2 where user_id = $1', [userId, 20n * TRX]);
    const before = await money.balances.getBalance(userId);
    await sell(userId, outside(50n * TRX), 'inv-1');
    expect(await money.balances.getBalance(userId)).toEqual(before);
    expect((await entries(userId)).slice(0, 2)).toEqual([
      ['quota', -50n * TRX, 10n * TRX, null],
      ['credit', 50n * TRX, 60n * TRX, 'inv-1'],
    ]);
    const text =
      'select count(*)::integer as lows from accounts where low_since is null and low_balance_sun > balance_sun';
    expect(await money.sql.row({ name: '', text })).toEqual({ lows: 0 });
  });

  it('is refused when a balance could not hold its payment, and when its price is not positive', async () => {
    const userId = await money.payer(TRX);
    await expect(sell(userId, outside(MOST - TRX + 1n), 'inv-1')).rejects.toThrow('too large');
    await sell(userId, outside(MOST - TRX), 'inv-2');
    await expect(sell(userId, outside(0n), 'inv-3')).rejects.toThrow();
    expect(await quotas(userId)).toBe(1);
  });

  it('is in the trial balance: its price among the movements, its transactions as sold', async () => {
    const own = await Money.open();
    try {
      const userId = await own.payer(100n * TRX);
      for (const [price, reference] of [
        [fromBalance(30n * TRX), 'inv-1'],
        [outside(50n * TRX), 'inv-2'],
      ] as const) {
        await own.sql.transaction(async (tx) => {
          const quota = { userId, transactions: new BigNumber(10), days: 30, timeMs: Date.now(), reference, price };
          const { id } = await own.subscriptions.create(quota, tx);
          await own.ledger.sell({ userId, subscriptionId: id, ...price, reference, note: '' }, tx);
        });
      }
      await own.subscribe(userId, 1);
      expect(await new TrialBalance(own.sql).read(ALL)).toMatchObject({
        movementsSun: { credit: 150n * TRX, quota: -80n * TRX },
        closingSun: 70n * TRX,
        quota: {
          sold: { energy: 20n * 65_000n, priceSun: 80n * TRX, fromBalanceSun: 30n * TRX },
          givenEnergy: 65_000n,
        },
        fault: null,
      });
    } finally {
      await own.close();
    }
  });
});
