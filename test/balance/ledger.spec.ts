import { Money, TRX } from '../support/money';
import { CLOCK_FIRST, StandingClock } from '../support/standing-clock';

describe('the ledger', () => {
  let money: Money;

  beforeAll(async () => {
    money = await Money.open();
  });
  afterEach(() => money.expectConsistent());
  afterAll(() => money.close());

  it('keeps every movement with the balance after it, newest first, by pages', async () => {
    const userId = await money.payer(10n * TRX);
    await money.ledger.debit({ userId, amountSun: 4n * TRX, note: 'paid out' });
    expect(await money.ledger.credit({ userId, amountSun: 1n, note: 'a sun' })).toBe(6n * TRX + 1n);
    const entries = await money.ledger.listEntries(userId);
    expect(entries.map(({ kind, amountSun, balanceSun, note }) => [kind, amountSun, balanceSun, note])).toEqual([
      ['credit', 1n, 6n * TRX + 1n, 'a sun'],
      ['debit', -4n * TRX, 6n * TRX, 'paid out'],
      ['credit', 10n * TRX, 10n * TRX, 'top-up'],
    ]);
    const first = await money.ledger.listEntries(userId, { limit: 2 });
    const second = await money.ledger.listEntries(userId, { limit: 2, beforeId: first.at(-1)!.id });
    expect([...first, ...second]).toEqual(entries);
  });

  it('shows all entries of a range of times, newest first, also when the clock was set back between them', async () => {
    const userId = await money.payer();
    const clock = await StandingClock.make((sql, values) => money.run(sql, values));
    const then = money.inSessions(`-c search_path=${CLOCK_FIRST}`);
    const credit = async (times: number) => {
      for (let n = 0; n < times; n++) await then.ledger.credit({ userId, amountSun: 1n, note: '' });
    };
    try {
      await clock.set('2026-03-01 23:30:00+00');
      await credit(10);
      await clock.set('2026-03-02 00:00:00+00');
      await credit(5);
      await clock.set('2026-03-01 22:00:00+00');
      await credit(20);
      await clock.set('2026-03-03 00:00:00+00');
      await credit(3);
    } finally {
      await then.close();
    }
    const day = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') };
    const all = await money.ledger.listEntries(userId);
    expect(all).toHaveLength(38);
    const ofDay = all.filter(({ at }) => at < '2026-03-02');
    expect(ofDay).toHaveLength(30);
    expect(await money.ledger.listEntries(userId, day)).toEqual(ofDay);
    expect(await money.ledger.listEntries(userId, { from: day.from })).toEqual(all);
    expect(await money.ledger.listEntries(userId, { to: day.to })).toEqual(ofDay);
    expect(await money.ledger.listEntries(userId, { from: day.to })).toHaveLength(8);
    expect(await money.ledger.listEntries(userId, { to: day.from })).toEqual([]);
    const pages: bigint[] = [];
    for (let beforeId: bigint | undefined; ; beforeId = pages.at(-1)) {
      const page = await money.ledger.listEntries(userId, { ...day, beforeId, limit: 7 });
      if (page.length === 0) break;
      pages.push(...page.map(({ id }) => id));
    }
    expect(pages).toEqual(ofDay.map(({ id }) => id));
  });

  it('never debits what is promised to an order', async () => {
    const userId = await money.payer(10n * TRX);
    const { id } = await money.orders.place(userId, '3');
    await expect(money.ledger.debit({ userId, amountSun: TRX + 1n, note: '' })).rejects.toThrow('insufficient balance');
    expect(await money.ledger.debit({ userId, amountSun: TRX, note: '' })).toBe(9n * TRX);
    await money.orders.land(id);
  });

  it('refuses amounts that are not positive, and more than a balance can hold', async () => {
    const userId = await money.payer(TRX);
    for (const amountSun of [0n, -1n]) {
      await expect(money.ledger.credit({ userId, amountSun, note: '' })).rejects.toThrow('more than 0');
    }
    const most = 9_223_372_036_854_775_807n - TRX;
    await expect(money.ledger.credit({ userId, amountSun: most + 1n, note: '' })).rejects.toThrow('too large');
    expect(await money.ledger.credit({ userId, amountSun: most, note: '' })).toBe(most + TRX);
  });

  it('moves money once for a reference, and answers a replay with the balance as it is', async () => {
    const userId = await money.payer();
    const credit = { userId, amountSun: 5n * TRX, note: 'invoice 7', reference: 'invoice-7' };
    expect(await money.ledger.credit(credit)).toBe(5n * TRX);
    const debit = { userId, amountSun: 3n * TRX, note: 'refund', reference: 'refund-7' };
    expect(await money.ledger.debit(debit)).toBe(2n * TRX);
    // Too little is left to debit again, yet this is not refused.
    expect(await money.ledger.debit(debit)).toBe(2n * TRX);
    expect(await money.ledger.credit(credit)).toBe(2n * TRX);
    expect(await money.ledger.listEntries(userId)).toHaveLength(2);
  });

  it('moves money once when one reference comes many times together', async () => {
    const userId = await money.payer();
    const credit = { userId, amountSun: TRX, note: '', reference: 'once' };
    const balances = await Promise.all(Array.from({ length: 30 }, () => money.ledger.credit(credit)));
    expect(new Set(balances)).toEqual(new Set([TRX]));
  });

  it('refuses a reference that stands for something else, and keeps the references of users apart', async () => {
    const [userId, other] = [await money.payer(10n * TRX), await money.payer()];
    await money.ledger.credit({ userId, amountSun: TRX, note: '', reference: 'r' });
    const refusal = 'reference "r" was already used for a credit of 1.000000';
    await expect(money.ledger.debit({ userId, amountSun: TRX, note: '', reference: 'r' })).rejects.toThrow(refusal);
    await expect(money.ledger.credit({ userId, amountSun: 1n, note: '', reference: 'r' })).rejects.toThrow(refusal);
    expect(await money.ledger.credit({ userId: other, amountSun: 2n, note: '', reference: 'r' })).toBe(2n);
  });

  it.each(['update ledger_entries set amount_sun = 1', 'delete from ledger_entries', 'truncate ledger_entries'])(
    'is append-only: the database refuses to %s',
    async (text) => {
      await money.payer(TRX);
      await expect(money.run(text)).rejects.toThrow('append-only');
    },
  );
});
