import { Migration } from '@mikro-orm/migrations';
import { diagnoseDatabase } from '../../src/database/diagnose-database';
import { migrateDatabase } from '../../src/database/migrate-database';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { ServicePool } from '../../src/database/service-pool';
import { Sql } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { runOnServer } from '../support/database-server';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const LONGER = 'select pg_sleep(2.2)';
const WAIT = statement('test_wait', LONGER);
const VALUE = statement<[], { value: string }>(
  'test_timeout',
  `select current_setting('transaction_timeout') as value`,
);

/** PostgreSQL 17 and newer have it. */
describe('a database that cuts transactions after two seconds', () => {
  let database: TestDatabase;
  const set = (value: string) =>
    runOnServer(
      database.url,
      `alter database ${new URL(database.url).pathname.slice(1)} set transaction_timeout = '${value}'`,
    );
  beforeAll(async () => {
    database = await createTestDatabase();
    await set('2s');
  });
  afterAll(() => database.drop());

  it('cuts no migration', async () => {
    class Slow extends Migration {
      override up(): void {
        this.addSql(LONGER);
      }
    }
    await migrateDatabase({ url: database.url }, [...MIGRATIONS, { name: '0002-slow', class: Slow }]);
  }, 60_000);

  it('cuts no export, and the next transaction of its connection has the limit again', async () => {
    const pool = new ServicePool(database.url);
    const sql = new Sql(pool);
    try {
      await sql.snapshot((tx) => tx.rows(WAIT));
      expect(pool.totalCount).toBe(1);
      expect(await sql.row(VALUE)).toEqual({ value: '2s' });
    } finally {
      await pool.end();
    }
  });

  it('is named by doctor, because orders have that limit, and not once it has none', async () => {
    const [found, ...others] = await diagnoseDatabase(database.url);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'session_settings' });
    expect(found!.reason).toContain('begin with transaction_timeout = 2000ms');
    expect(found!.next_step).toContain(`transaction_timeout = '0ms'`);
    expect(await diagnoseDatabase(database.url, Date.now, 'DATABASE_MIGRATION_URL')).toEqual([]);
    await set('0');
    expect(await diagnoseDatabase(database.url)).toEqual([]);
  });
});
