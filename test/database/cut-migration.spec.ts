import { Migration } from '@mikro-orm/migrations';
import { join } from 'node:path';
import { Client } from 'pg';
import { findPendingMigrations, migrateDatabase } from '../../src/database/migrate-database';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { ensureBuild } from '../support/build';
import { Child, type ChildResult } from '../support/child';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

const NAME = '0002-long';
const LONG = 'select pg_sleep(1000)';
const IS_OF_MIGRATION = `query = '${LONG}' and state = 'active' and datname = current_database()`;

/** A start's migrations with a long one among them, in a process of their own, which ends silently once nothing is left to wait for. */
function startMigrating(url: string): Child {
  const compiled = (path: string) => JSON.stringify(join(ensureBuild(), 'src/database', path));
  return new Child([
    '-e',
    `const { migrateDatabase } = require(${compiled('migrate-database.js')});
     const { MIGRATIONS } = require(${compiled('migrations/migrations.js')});
     const { Migration } = require('@mikro-orm/migrations');
     class Long extends Migration { up() { this.addSql(${JSON.stringify(LONG)}); } }
     migrateDatabase({ url: ${JSON.stringify(url)} }, [...MIGRATIONS, { name: '${NAME}', class: Long }]).catch((error) => {
       console.error(error.message);
       process.exit(1);
     });`,
  ]);
}

describe('a migration that the server cuts', () => {
  let database: TestDatabase;
  let operator: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    operator = new Client(database.url);
    await operator.connect();
  });
  afterAll(async () => {
    await operator.end();
    await database.drop();
  });

  /** @param which sessions the server ends once the migration is under way */
  async function cut(which: string): Promise<ChildResult> {
    const start = startMigrating(database.url);
    try {
      const isUnderWay = `select 1 from pg_stat_activity where ${IS_OF_MIGRATION}`;
      await until('the migration under way', async () => (await operator.query(isUnderWay)).rows.length > 0);
      await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${which}`);
      return await start.ended;
    } finally {
      await start.stop('SIGKILL');
    }
  }

  it('ends the start with the reason when its own session is cut', async () => {
    const { code, stderr } = await cut(IS_OF_MIGRATION);
    expect([code, stderr]).toEqual([1, expect.stringContaining('terminating connection due to administrator command')]);
  });

  it('ends the start with the reason when all its sessions are cut, as a restart of the server does', async () => {
    const { code, stderr } = await cut(`datname = current_database() and pid <> pg_backend_pid()`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/administrator command|holds the lock of migrations/)]);
  });

  it('ends the start when only the session is cut that holds the lock, for another start may migrate then', async () => {
    const { code, stderr } = await cut(
      `datname = current_database() and application_name = 'energy-delegation (migrations)'`,
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(/administrator command|holds the lock of migrations/)]);
  });

  it('is applied by the next start', async () => {
    class Short extends Migration {
      override up(): void {
        this.addSql('select 1');
      }
    }
    const migrations = [...MIGRATIONS, { name: NAME, class: Short }];
    await migrateDatabase({ url: database.url }, migrations);
    expect(await findPendingMigrations(operator, migrations)).toEqual([]);
  });
});
