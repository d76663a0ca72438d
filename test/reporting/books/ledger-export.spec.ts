import { readEdge, readMonth } from '../../../src/reporting/books/book-range';
import { BATCH, type BookedMovement, LedgerExport } from '../../../src/reporting/books/ledger-export';
import { Clock } from '../../../src/common/clock';
import { Money } from '../../support/money';
import { CLOCK_FIRST, StandingClock } from '../../support/standing-clock';

const ALL = { from: new Date('2018-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };

describe('the export of the whole ledger', () => {
  let money: Money;
  let ledger: LedgerExport;
  let ownClock: Clock;
  beforeEach(async () => {
    money = await Money.open();
    ownClock = new Clock();
    ledger = new LedgerExport(money.sql, ownClock);
  });
  afterEach(async () => {
    await money.expectConsistent();
    await money.close();
  });

  /** One credit of one sun for each of so many new accounts, in one transaction. */
  const accounts = async (count: number, run = (text: string) => money.run(text)) => {
    await run(`
      with made as (
        insert into users (id, email, name) select gen_random_uuid(), gen_random_uuid() || '@example.com', 'u' from generate_series(1, ${count})
        returning id
      ), account as (
        insert into accounts (user_id, balance_sun) select id, 1 from made
      )
      insert into ledger_entries (user_id, kind, amount_sun, balance_sun, note) select id, 'credit', 1, 1, 'top-up' from made`);
  };
  const all = async (range = ALL): Promise<BookedMovement[]> => {
    const found: BookedMovement[] = [];
    for await (const rows of ledger.read(range)) found.push(...rows);
    return found;
  };
  const inSql = (order: string) =>
    money.sql.rows<{ id: bigint }>({ name: '', text: `select id from ledger_entries order by ${order}` });

  it('has each movement once, by time and number, across pages, also where many have the same time', async () => {
    const clock = await StandingClock.make((sql, values) => money.run(sql, values));
    const then = money.inSessions(`-c search_path=${CLOCK_FIRST}`);
    try {
      await clock.set('2026-03-01 12:00:00+00');
      await accounts(BATCH + 7, (text) => then.run(text));
      // A clock that is set back: what is booked later has an earlier time.
      await clock.set('2026-03-01 11:00:00+00');
      await accounts(BATCH, (text) => then.run(text));
    } finally {
      await then.close();
    }
    const found = await all();
    expect(found).toHaveLength(2 * BATCH + 7);
    expect(found.map(({ id }) => id)).toEqual((await inSql('at, id')).map(({ id }) => id));
    expect(await all()).toEqual(found);
  });

  it('is of the moment at which it began, while movements are booked', async () => {
    await accounts(2 * BATCH);
    const payer = await money.payer();
    const before = (await inSql('at, id')).map(({ id }) => id);
    const found: bigint[] = [];
    for await (const rows of ledger.read(ALL)) {
      found.push(...rows.map(({ id }) => id));
      await money.ledger.credit({ userId: payer, amountSun: 5n, note: 'meanwhile' });
    }
    expect(found).toEqual(before);
    expect(await all()).toHaveLength(before.length + 2);
  });

  it('waits for a movement whose transaction is under way, as it has a time of the range', async () => {
    const payer = await money.payer();
    await accounts(BATCH);
    const waits = Promise.withResolvers<void>();
    const sleep = ownClock.sleep.bind(ownClock);
    ownClock.sleep = (ms, signal) => {
      waits.resolve();
      return sleep(ms, signal);
    };
    let read: Promise<BookedMovement[]> | undefined;
    await money.sql.transaction(async (tx) => {
      await money.ledger.move('credit', { userId: payer, amountSun: 5n, note: 'under way' }, tx);
      read = all();
      await Promise.race([waits.promise, read]);
    });
    expect(await read).toHaveLength(BATCH + 1);
  });

  it('is refused when one stays open for a minute', async () => {
    const payer = await money.payer();
    let nowMs = 0;
    ownClock.monotonicMs = () => (nowMs += 20_000);
    await money.sql.transaction(async (tx) => {
      await money.ledger.move('credit', { userId: payer, amountSun: 5n, note: 'under way' }, tx);
      await expect(all()).rejects.toMatchObject({ code: 'books.transaction-open' });
    });
  });

  it('begins with the first day at 0:00 UTC and ends with the last day', async () => {
    const payer = await money.payer();
    const clock = await StandingClock.make((sql, values) => money.run(sql, values));
    const then = money.inSessions(`-c search_path=${CLOCK_FIRST} -c timezone=Asia/Shanghai`);
    try {
      for (const [at, note] of [
        ['2026-10-31 23:59:59.999999+00', 'before'],
        ['2026-11-01 00:00:00+00', 'first'],
        ['2026-11-30 23:59:59.999999+00', 'last'],
        ['2026-12-01 00:00:00+00', 'after'],
      ] as const) {
        await clock.set(at);
        await then.ledger.credit({ userId: payer, amountSun: 1n, note });
      }
    } finally {
      await then.close();
    }
    const november = { from: readEdge('2026-11-01')!.from, to: readEdge('2026-11-30')!.to };
    expect(readMonth('2026-11')).toEqual(november);
    expect((await all(november)).map(({ note }) => note)).toEqual(['first', 'last']);
    const moments = { from: readEdge('2026-11-01T00:00:00Z')!.from, to: readEdge('2026-12-01T00:00:00Z')!.to };
    expect(await all(moments)).toEqual(await all(november));
  });

  it.each([
    '2026-02-30',
    '2026-11-31T00:00:00Z',
    '2026-11',
    '11/01/2026',
    '2026-11-01T00:00:00',
    '2026-11-01T25:00:00Z',
    '',
  ])('takes %j for no edge', (text) => {
    expect(readEdge(text)).toBeNull();
  });

  it('leaves its connection to others when its reader stops early, or fails', async () => {
    await accounts(2 * BATCH);
    for (let n = 0; n < 30; n++) {
      for await (const rows of ledger.read(ALL)) {
        expect(rows).toHaveLength(BATCH);
        break;
      }
    }
    const read = ledger.read(ALL);
    await read.next();
    await expect(read.throw(new Error('the reader is gone'))).rejects.toThrow('the reader is gone');
    expect(await all()).toHaveLength(2 * BATCH);
    expect(money.sql.waitingTransactions).toBe(0);
  });

  it('cannot be written in', async () => {
    const write = { name: 'test_write', text: `update users set name = 'x'` };
    await expect(money.sql.snapshot((tx) => tx.execute(write))).rejects.toThrow('read-only transaction');
  });
});
