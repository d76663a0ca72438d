import BigNumber from 'bignumber.js';
import { PaymentOutlook } from '../../src/billing/payment-outlook';
import { Money } from '../support/money';
import { UNLIMITED } from '../support/payers';
import { CLOCK_FIRST, StandingClock } from '../support/standing-clock';

const DAY_MS = 86_400_000;

describe.each([
  ['two months ahead', 60],
  ['two months behind', -60],
])('a subscription on a database whose clock is %s', (_, days) => {
  let money: Money;
  let wrong: Money;

  beforeAll(async () => {
    money = await Money.open();
    const clock = await StandingClock.make((sql, values) => money.run(sql, values));
    await clock.advance(days * DAY_MS);
    wrong = money.inSessions(`-c search_path=${CLOCK_FIRST}`);
  });
  afterEach(() => money.expectConsistent());
  afterAll(async () => {
    await wrong.close();
    await money.close();
  });

  /** What a quote would say, and the refusal that an order would get, of one transaction at the block time of now. */
  const foreseen = async (userId: string) => {
    const outlook = new PaymentOutlook(wrong.sql, wrong.billing);
    const { paidBy } = await outlook.of(userId, null, new BigNumber(1), false, Date.now());
    const order = { userId, feeSun: 3_000_000n, energy: 65_000n, activation: false, ...UNLIMITED };
    return [paidBy, await wrong.billing.findRefusal({ ...order, timeMs: Date.now() })];
  };

  it('begins at the block time that it was created at, and lasts its days of it', async () => {
    const userId = await money.payer();
    const timeMs = Date.now();
    const { validFrom, validUntil } = await wrong.subscriptions.create({
      userId,
      transactions: new BigNumber(1),
      days: 30,
      timeMs,
    });
    expect([Date.parse(validFrom), Date.parse(validUntil)]).toEqual([timeMs, timeMs + 30 * DAY_MS]);
  });

  it('pays for an order whose block time it is valid at, as was foretold', async () => {
    const userId = await money.payer();
    await wrong.subscribe(userId, 1);
    expect(await foreseen(userId)).toEqual(['subscription', null]);
    expect(await wrong.orders.place(userId)).toMatchObject({ paidBy: 'subscription', costSun: 0n });
  });

  it('pays for no order once it was ended, as was foretold', async () => {
    const userId = await money.payer();
    const { id } = await wrong.subscribe(userId, 1);
    await wrong.subscriptions.end(id, Date.now());
    expect(await foreseen(userId)).toEqual([null, expect.objectContaining({ code: 'INSUFFICIENT_BALANCE' })]);
    expect(await wrong.orders.outcome(userId)).toBe('INSUFFICIENT_BALANCE');
  });

  it('ends no earlier than it began, also where the final block of its end is an older one', async () => {
    const userId = await money.payer();
    const { id, validFrom } = await wrong.subscribe(userId, 1);
    expect(await wrong.subscriptions.end(id, Date.parse(validFrom) - 3_000)).toMatchObject({ validUntil: validFrom });
    expect(await wrong.orders.outcome(userId)).toBe('INSUFFICIENT_BALANCE');
  });
});
