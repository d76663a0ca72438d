import { ServicePool } from '../../src/database/service-pool';
import { Sql, type SqlTransaction, TransactionEndedError } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const INSERT = statement<[id: number]>('test_insert', 'insert into numbers (id) values ($1)');
const COUNT = statement<[], { count: number }>('test_count', 'select count(*)::int as count from numbers');

describe('a transaction in which a statement failed', () => {
  let database: TestDatabase;
  let pool: ServicePool;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new ServicePool(database.url);
    sql = new Sql(pool);
    await sql.execute(statement('test_table', 'create table numbers (id integer primary key)'));
    await sql.execute(INSERT, [1]);
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  const twice = {
    'that it went on behind': async (tx: SqlTransaction) => {
      await tx.execute(INSERT, [2]);
      await tx.execute(INSERT, [1]).catch(() => undefined);
    },
    'that goes out with its commit': async (tx: SqlTransaction) => {
      await tx.execute(INSERT, [2]);
      tx.defer(tx.execute(INSERT, [1]));
    },
  };

  it.each(Object.entries(twice))(
    '%s: is never taken as committed, for PostgreSQL has rolled it back',
    async (_, work) => {
      let isCommitted = false;
      const committed = sql.transaction(async (tx) => {
        tx.afterCommit(() => (isCommitted = true));
        await work(tx);
      });
      await expect(committed).rejects.toThrow();
      expect(isCommitted).toBe(false);
      expect(await sql.row(COUNT)).toEqual({ count: 1 });
    },
  );

  it('because a deferred constraint refuses its commit: is refused, and its outcome is known', async () => {
    await sql.execute(statement('test_deferred', 'alter table numbers add unique (id) deferrable initially deferred'));
    await sql.execute(statement('test_no_key', 'alter table numbers drop constraint numbers_pkey'));
    const refused = sql.transaction((tx) => tx.execute(INSERT, [1]));
    await expect(refused).rejects.toMatchObject({ name: 'error', code: '23505' });
    expect(await sql.row(COUNT)).toEqual({ count: 1 });
  });
});

describe('a transaction that has ended', () => {
  let database: TestDatabase;
  let pool: ServicePool;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new ServicePool(database.url);
    sql = new Sql(pool);
    await sql.execute(statement('test_numbers', 'create table numbers (id integer primary key)'));
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  const ends = {
    'with its commit': async () => undefined,
    'with its rollback': async () => {
      throw new Error('rolled back');
    },
  };

  it.each(Object.entries(ends))(
    '%s: runs nothing more, neither in a transaction of somebody else nor alone',
    async (_, work) => {
      let late!: SqlTransaction;
      await sql
        .transaction(async (tx) => {
          late = tx;
          await work();
        })
        .catch(() => undefined);
      // It has the connection that the other one has left.
      await expect(
        sql.transaction(async () => {
          await expect(late.execute(INSERT, [1])).rejects.toBeInstanceOf(TransactionEndedError);
          throw new Error('the other one is rolled back');
        }),
      ).rejects.toThrow('the other one');
      await expect(late.row(COUNT)).rejects.toBeInstanceOf(TransactionEndedError);
      expect(() => late.defer(Promise.resolve())).toThrow(TransactionEndedError);
      expect(() => late.afterCommit(() => undefined)).toThrow(TransactionEndedError);
      expect(await sql.row(COUNT)).toEqual({ count: 0 });
    },
  );

  it('while something of it was not awaited: commits what it had asked for, and nothing of what follows', async () => {
    let followed!: Promise<unknown>;
    await sql.transaction(async (tx) => {
      followed = tx.row(COUNT).then(() => tx.execute(INSERT, [2]));
      followed.catch(() => undefined);
    });
    await expect(followed).rejects.toBeInstanceOf(TransactionEndedError);
    expect(await sql.row(COUNT)).toEqual({ count: 0 });
  });
});
