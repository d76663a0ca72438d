import { LaneFullError } from '../../src/common/concurrency/lane';
import { MOST_TRANSACTIONS, ServicePool } from '../../src/database/service-pool';
import { Sql, type SqlTransaction } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
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
    const { end, ended } = await open(MOST_TRANSACTIONS);
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
    const { end, ended } = await open(MOST_TRANSACTIONS);
    let begun = false;
    const late = sql.transaction(async () => void (begun = true));
    await expect(late).rejects.toBeInstanceOf(LaneFullError);
    end();
    await ended;
    expect(begun).toBe(false);
    await expect(sql.transaction((tx) => tx.row(ONE))).resolves.toEqual({ one: 1 });
  });
});
