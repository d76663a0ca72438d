import { Migration } from '@mikro-orm/migrations';
import { Client } from 'pg';
import { findPendingMigrations, migrateDatabase } from '../../src/database/migrate-database';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

const LONG = 'select pg_sleep(1000)';

describe('a migration whose connection the server cuts', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  it('ends the start with the reason, and the next start applies it', async () => {
    let statement = LONG;
    class Long extends Migration {
      override up(): void {
        this.addSql(statement);
      }
    }
    const migrations = [...MIGRATIONS, { name: '0002-long', class: Long }];
    const ended = migrateDatabase({ url: database.url }, migrations).then(
      () => 'migrated',
      (error: unknown) => String(error),
    );
    const operator = new Client(database.url);
    await operator.connect();
    try {
      await until('the statement cut', async () => {
        const cut = `select pg_terminate_backend(pid) from pg_stat_activity where query = $1 and state = 'active' and datname = current_database()`;
        return (await operator.query(cut, [LONG])).rows.length > 0;
      });
      expect(await ended).toContain('terminating connection due to administrator command');
      statement = 'select 1';
      await migrateDatabase({ url: database.url }, migrations);
      expect(await findPendingMigrations(operator, migrations)).toEqual([]);
    } finally {
      await operator.end();
    }
  }, 60_000);
});
