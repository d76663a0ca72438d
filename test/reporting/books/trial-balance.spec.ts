import { ENERGY_PER_TRANSACTION } from '../../../src/billing/energy-amount';
import { readEdge, readMonth } from '../../../src/reporting/books/book-range';
import { TrialBalance } from '../../../src/reporting/books/trial-balance';
import { Money, TRX } from '../../support/money';
import { CLOCK_FIRST, StandingClock } from '../../support/standing-clock';

const ALL = { from: new Date('2018-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };
const NONE = { credit: 0n, debit: 0n, charge: 0n, quota: 0n, refund: 0n };

describe('the trial balance', () => {
  let money: Money;
  let books: TrialBalance;
  beforeEach(async () => {
    money = await Money.open();
    books = new TrialBalance(money.sql);
  });
  afterEach(async () => {
    await money.expectConsistent();
    await money.close();
  });
  /** Acts at moments of the database's clock. */
  const at = async (acts: readonly (readonly [string, (then: Money) => Promise<unknown>])[]) => {
    const clock = await StandingClock.make((sql, values) => money.run(sql, values));
    const then = money.inSessions(`-c search_path=${CLOCK_FIRST}`);
    try {
      for (const [moment, act] of acts) {
        await clock.set(moment);
        await act(then);
      }
    } finally {
      await then.close();
    }
  };
  const credit = (userId: string, amountSun: bigint) => (then: Money) =>
    then.ledger.credit({ userId, amountSun, note: '' });

  it('of a database without money is zero', async () => {
    expect(await books.read(ALL)).toMatchObject({
      openingSun: 0n,
      movementsSun: NONE,
      closingSun: 0n,
      holdsSun: 0n,
      accounts: 0n,
      fault: null,
    });
  });

  it('closes to the sun: what was before the month, what moved by kind, what was after it', async () => {
    const [a, b] = [await money.payer(), await money.payer()];
    await at([
      ['2025-10-31 23:59:59.999999+00', credit(a, 7n * TRX)],
      ['2025-11-01 00:00:00+00', credit(a, 1n)],
      ['2025-11-15 00:00:00+00', (then) => then.ledger.debit({ userId: a, amountSun: 2n * TRX, note: '' })],
      ['2025-11-30 23:59:59.999999+00', credit(b, 3n * TRX)],
      ['2025-12-01 00:00:00+00', credit(b, 100n * TRX)],
    ]);
    expect(await books.read(readMonth('2025-11')!)).toMatchObject({
      openingSun: 7n * TRX,
      movementsSun: { ...NONE, credit: 3n * TRX + 1n, debit: -2n * TRX },
      closingSun: 8n * TRX + 1n,
      accounts: 2n,
      fault: null,
    });
    const all = await books.read(ALL);
    expect(all).toMatchObject({ openingSun: 0n, closingSun: 108n * TRX + 1n, fault: null });
  });

  it('closes also when the clock was set back over an edge of the month', async () => {
    const a = await money.payer();
    await at([
      ['2025-11-01 00:00:30+00', credit(a, 10n)],
      ['2025-10-31 23:59:30+00', credit(a, 1n)],
      ['2025-12-01 00:00:10+00', credit(a, 100n)],
      ['2025-11-30 23:59:40+00', credit(a, 1_000n)],
    ]);
    expect(await books.read(readMonth('2025-11')!)).toMatchObject({
      openingSun: 1n,
      movementsSun: { ...NONE, credit: 1_010n },
      closingSun: 1_011n,
      fault: null,
    });
  });

  it('is of one moment while orders run: it closes, equals the balances, and promises no more than they hold', async () => {
    const payers = await Promise.all(Array.from({ length: 4 }, () => money.payer(1_000n * TRX)));
    let isOver = false;
    const running = payers.map(async (userId) => {
      while (!isOver) {
        const { id } = await money.orders.place(userId);
        await money.ledger.credit({ userId, amountSun: 3n * TRX, note: '' });
        await (id.endsWith('0') ? money.orders.fail(id) : money.orders.land(id));
      }
    });
    try {
      for (let n = 0; n < 40; n++) {
        const { fault, holdsSun, closingSun, movementsSun } = await books.read(ALL);
        expect(fault).toBeNull();
        expect(holdsSun).toBeLessThanOrEqual(closingSun);
        expect(Object.values(movementsSun).reduce((sum, sun) => sum + sun)).toBe(closingSun);
      }
    } finally {
      isOver = true;
      await Promise.all(running);
    }
  });

  it('has what is promised to orders: now, and at the end of a month that is over', async () => {
    const a = await money.payer();
    let [open, settled] = ['', ''];
    await at([
      ['2025-11-10 00:00:00+00', credit(a, 20n * TRX)],
      ['2025-11-20 00:00:00+00', async (then) => (open = (await then.orders.place(a)).id)],
      ['2025-11-21 00:00:00+00', async (then) => (settled = (await then.orders.place(a)).id)],
      ['2025-11-30 23:59:59+00', (then) => then.orders.land(settled)],
      ['2025-12-01 00:00:00+00', (then) => then.orders.land(open)],
    ]);
    // A hold begins by the column's own clock, which these sessions do not set.
    await money.run(`update holds set created_at = '2025-11-20 00:00:00+00'`);
    const november = await books.read(readMonth('2025-11')!);
    expect(november.movementsSun.charge).toBeLessThan(0n);
    expect(november.holdsSun).toBe(-november.movementsSun.charge);
    expect((await books.read(readMonth('2025-12')!)).holdsSun).toBe(0n);
    await money.orders.place(a);
    expect((await books.read(ALL)).holdsSun).toBe(november.holdsSun);
  });

  it('counts each unit of quota once: added, then used or expired', async () => {
    const userId = await money.payer();
    const units = (transactions: number) => BigInt(transactions) * ENERGY_PER_TRANSACTION;
    await money.subscribe(userId, 100);
    const [{ id: landed }, { id: failed }, { id: late }] = [
      await money.orders.place(userId, '3'),
      await money.orders.place(userId, '5'),
      await money.orders.place(userId, '7'),
    ];
    await money.orders.land(landed);
    await money.orders.fail(failed);
    const sums = async () => (await books.read(ALL)).quota;
    expect(await sums()).toMatchObject({ givenEnergy: units(100), used: units(3), expired: 0n });
    const [subscription] = await money.subscriptions.list(userId);
    await money.subscriptions.end(subscription!.id, Date.now());
    // Seven are promised to an order still: they are used or expire with it.
    expect(await sums()).toMatchObject({ used: units(3), expired: units(90) });
    await money.orders.fail(late);
    expect(await sums()).toMatchObject({ used: units(3), expired: units(97) });
    const { from } = readEdge(new Date().toISOString().slice(0, 10))!;
    expect((await books.read({ from: ALL.from, to: from })).quota).toMatchObject({
      givenEnergy: 0n,
      used: 0n,
      expired: 0n,
    });
  });

  it('says so when the ledger and the balances do not agree', async () => {
    const userId = await money.payer(5n * TRX);
    const change = (sun: bigint) =>
      money.sql.transaction(async (tx) => {
        await tx.execute({ name: '', text: 'set local session_replication_role = replica' });
        await tx.execute({ name: '', text: `update accounts set balance_sun = ${sun} where user_id = '${userId}'` });
      });
    await change(6n * TRX);
    const { fault } = await books.read(ALL);
    expect(fault).toBe(`the ledger adds up to ${5n * TRX} sun, and the balances of all accounts to ${6n * TRX}`);
    await change(5n * TRX);
    expect((await books.read(ALL)).fault).toBeNull();
  });
});
