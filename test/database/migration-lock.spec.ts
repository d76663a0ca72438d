import { Migration } from '@mikro-orm/migrations';
import { Socket } from 'node:net';
import { Client } from 'pg';
import { MIGRATION_LOCK } from '../../src/database/advisory-locks';
import { connectToWritable } from '../../src/database/database-hosts';
import { migrateDatabase } from '../../src/database/migrate-database';
import { awaitMigrationLock } from '../../src/database/migration-lock';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { runOnServer } from '../support/database-server';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

/** By then the server has ended the session of a machine that says nothing more. */
const MOST_SECONDS = 30;
const KEEPALIVES = `select current_setting('tcp_keepalives_idle')::integer as idle,
  current_setting('tcp_keepalives_interval')::integer * current_setting('tcp_keepalives_count')::integer as asking`;

class None extends Migration {
  override up(): void {}
}

interface Keepalives {
  readonly idle: number;
  readonly asking: number;
}

describe('the session that holds the lock of migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createEmptyDatabase()));
  afterAll(() => database.drop());

  const expectSoon = ({ idle, asking }: Keepalives) => {
    // 0 stands for the system's two hours.
    expect(Math.min(idle, asking)).toBeGreaterThan(0);
    expect(idle + asking).toBeLessThanOrEqual(MOST_SECONDS);
  };

  it('is named to a start that waits for it, once, and the start goes on after it', async () => {
    const holder = new Client({ connectionString: database.url, application_name: 'another machine' });
    await holder.connect();
    const held = await holder.query<{ pid: number }>(
      `select pg_advisory_lock(${MIGRATION_LOCK}), pg_backend_pid() as pid`,
    );
    const said: string[] = [];
    const stderr = jest.spyOn(process.stderr, 'write').mockImplementation((line) => said.push(String(line)) > 0);
    const migrated = migrateDatabase({ url: database.url });
    try {
      await until('the line', async () => said.length > 0, 60_000);
    } finally {
      await holder.end();
      await migrated;
      stderr.mockRestore();
    }
    const { pid } = held.rows[0]!;
    expect(said).toEqual([
      expect.stringContaining(`process ${pid} of PostgreSQL (another machine, role postgres, from 127.0.0.1:`),
    ]);
    expect(said[0]).toContain(`, idle since `);
    expect(said[0]).toContain(`select pg_terminate_backend(${pid})`);
  });

  it('is ended by the server within half a minute once its machine is gone', async () => {
    const client = await connectToWritable(database.url);
    await awaitMigrationLock(client);
    const { rows } = await client.query<Keepalives>(KEEPALIVES);
    await client.end();
    expectSoon(rows[0]!);
  });

  it('has beside it a session of the migrations themselves, which ends as soon', async () => {
    class Seen extends Migration {
      override up(): void {
        this.addSql(`create table seen as ${KEEPALIVES}`);
      }
    }
    await migrateDatabase({ url: database.url }, [...MIGRATIONS, { name: '0002-seen', class: Seen }]);
    const client = await connectToWritable(database.url);
    const { rows } = await client.query<Keepalives>('select idle, asking from seen');
    await client.end();
    expectSoon(rows[0]!);
  });

  it('outlives a migration that takes longer than the `idle_session_timeout` of the server', async () => {
    class Slow extends Migration {
      override up(): void {
        this.addSql('select pg_sleep(2.2)');
      }
    }
    const name = new URL(database.url).pathname.slice(1);
    await runOnServer(database.url, `alter database ${name} set idle_session_timeout = '1s'`);
    try {
      await migrateDatabase({ url: database.url }, [...MIGRATIONS, { name: '0004-slow', class: Slow }]);
    } finally {
      await runOnServer(database.url, `alter database ${name} reset idle_session_timeout`);
    }
  });

  it('asks a silent server after ten seconds, as each connection of a start does', async () => {
    const asked = jest.spyOn(Socket.prototype, 'setKeepAlive');
    try {
      await migrateDatabase({ url: database.url }, [...MIGRATIONS, { name: '0003-none', class: None }]);
      expect(asked.mock.calls.length).toBeGreaterThan(1);
      // 0 stands for the system's two hours.
      for (const [isOn, firstMs] of asked.mock.calls) expect([isOn, firstMs]).toEqual([true, 10_000]);
    } finally {
      asked.mockRestore();
    }
  });
});
