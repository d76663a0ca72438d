import { MikroORM } from '@mikro-orm/postgresql';
import { LaneFullError } from '../../src/common/concurrency/lane';
import { ormOptions } from '../../src/database/mikro-orm.config';
import { ServicePool } from '../../src/database/service-pool';
import { Sql, type SqlTransaction } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { runOnServer } from '../support/database-server';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

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

  /** So many transactions, all open until they are ended. */
  async function open(count: number): Promise<{ end: () => void; ended: Promise<unknown> }> {
    let end!: () => void;
    const held = new Promise<void>((resolve) => (end = resolve));
    const ended: Promise<void>[] = [];
    while (ended.length < count)
      await new Promise<void>((begun) => {
        ended.push(sql.transaction(() => (begun(), held)));
      });
    return { end, ended: Promise.all(ended) };
  }

  it('that transactions never take are left for statements by themselves, however many transactions are open', async () => {
    const { end, ended } = await open(pool.mostTransactions);
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
    const { end, ended } = await open(pool.mostTransactions);
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
  beforeAll(async () => {
    database = await createTestDatabase();
    const role = `few_${process.pid}`;
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
});
