import { Logger } from '@nestjs/common';
import { MikroORM } from '@mikro-orm/postgresql';
import { LaneFullError } from '../../src/common/concurrency/lane';
import { ormOptions } from '../../src/database/mikro-orm.config';
import { ServicePool } from '../../src/database/service-pool';
import { Sql, type SqlTransaction } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { runOnServer } from '../support/database-server';
import { openTransactions } from '../support/open-transactions';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';
import { VirtualTime } from '../support/virtual-time/virtual-time';

const ONE = statement<[], { one: number }>('test_one', 'select 1 as one');

describe('connections of the service', () => {
  let database: TestDatabase;
  let pool: ServicePool;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new ServicePool(database.url);
    sql = new Sql(pool);
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  it('that transactions never take are left for statements by themselves, however many transactions are open', async () => {
    const { end, ended } = await openTransactions(sql, pool.mostTransactions);
    const order: string[] = [];
    const next = sql.transaction(async (tx: SqlTransaction) => {
      order.push('transaction');
      await tx.row(ONE);
    });
    const reads = await Promise.all(Array.from({ length: 50 }, () => sql.row(ONE)));
    expect(reads.filter((row) => row?.one === 1)).toHaveLength(50);
    order.push('read');
    end();
    await Promise.all([ended, next]);
    expect(order).toEqual(['read', 'transaction']);
  });

  it('refuse a transaction whose turn does not come in time, with nothing begun', async () => {
    const { end, ended } = await openTransactions(sql, pool.mostTransactions);
    let begun = false;
    const late = sql.transaction(async () => void (begun = true));
    await expect(late).rejects.toBeInstanceOf(LaneFullError);
    end();
    await ended;
    expect(begun).toBe(false);
    await expect(sql.transaction((tx) => tx.row(ONE))).resolves.toEqual({ one: 1 });
  });
});

describe('on a server that gives a role few connections', () => {
  const [GIVEN, CALLS] = [5, 60];
  let database: TestDatabase;
  let few: string;
  const role = `few_${process.pid}`;
  beforeAll(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    await runOnServer(database.url, `create role ${role} login password '${url.password}' connection limit ${GIVEN}`);
    url.username = role;
    few = url.href;
  });
  afterAll(() => database.drop());

  it('calls wait for those that are open, in transactions and alone, and other pools get one, too', async () => {
    const pool = new ServicePool(few);
    const sql = new Sql(pool);
    const orm = await MikroORM.init(ormOptions(few));
    const all = async (call: (at: number) => Promise<unknown>) =>
      new Set(
        (await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at)))).map((row) => JSON.stringify(row)),
      );
    const ask = (at: number) => (at % 2 === 0 ? sql.row(ONE) : sql.transaction((tx) => tx.row(ONE)));
    const read = () => orm.em.fork().execute('select 1 as one');
    expect(await Promise.all([all(ask), all(read)])).toEqual([new Set(['{"one":1}']), new Set(['[{"one":1}]'])]);
    // A transaction that reads beside itself needs a connection more: so many are not begun that none is left for that.
    expect(await all(() => sql.transaction(async (tx) => (await sql.row(ONE), tx.row(ONE))))).toEqual(
      new Set(['{"one":1}']),
    );
    await orm.close();
    await pool.end();
  });

  it('the log says so once, and the service opens as many again once the server gives them', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const time = VirtualTime.begin();
    const clock = await time.join(database.url);
    const pool = new ServicePool(few);
    const sql = new Sql(pool);
    const most = pool.mostTransactions;
    const ask = () => Promise.all(Array.from({ length: CALLS }, () => sql.row(ONE)));
    await ask();
    expect(pool.mostTransactions).toBeLessThan(GIVEN);
    // It asks for more, and is refused again.
    await until('a pool that asks again', async () => pool.mostTransactions === most);
    await ask();
    expect(pool.mostTransactions).toBeLessThan(GIVEN);
    const lines = warn.mock.calls.filter(([line]) => String(line).startsWith('The server gives no further connection'));
    expect(lines).toHaveLength(1);

    await runOnServer(database.url, `alter role ${role} connection limit -1`);
    await until('a pool that asks again', async () => pool.mostTransactions === most);
    const { end, ended } = await openTransactions(sql, most);
    expect(pool.totalCount).toBe(most);
    end();
    await ended;
    await pool.end();
    await clock.end();
    await time.end();
    warn.mockRestore();
  });
});
