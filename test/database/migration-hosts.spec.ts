import { connectToWritable } from '../../src/database/database-hosts';
import { findPendingMigrations, migrateDatabase } from '../../src/database/migrate-database';
import { CommandLine } from '../support/command-line';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database';

const LOST = '127.0.0.1:1';

describe('after a fail-over the connection for migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createEmptyDatabase()));
  afterAll(() => database.drop());

  const host = () => new URL(database.url).host;
  const both = () => database.url.replace(host(), `${LOST},${host()}`);
  /** Another URL, as of another role: its hosts are remembered by themselves. */
  const ofOwner = (url: string) => `${url}&application_name=owner`;

  it('finds the new primary among its hosts, with migrations to apply and without', async () => {
    const urls = { url: both(), migrationUrl: ofOwner(both()) };
    await migrateDatabase(urls);
    const client = await connectToWritable(urls.migrationUrl);
    expect(await findPendingMigrations(client)).toEqual([]);
    await client.end();
    await migrateDatabase({ url: both(), migrationUrl: `${ofOwner(both())}s` });
  });

  it('is found by doctor where it names the lost host alone, and a command that fails of it says so', async () => {
    const commands = CommandLine.on(both(), { DATABASE_MIGRATION_URL: ofOwner(database.url.replace(host(), LOST)) });
    const name = new URL(database.url).pathname;
    const { exitCode, stdout } = await commands.run('doctor', '--json');
    expect(exitCode).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: unknown[] };
    expect(findings).toEqual([
      {
        kind: 'database_unreachable',
        subject: `DATABASE_MIGRATION_URL (${LOST}${name})`,
        reason: expect.stringContaining('ECONNREFUSED') as string,
        next_step: expect.stringContaining('Check DATABASE_MIGRATION_URL') as string,
      },
    ]);
    const { stderr } = await commands.run('user:list');
    expect(stderr).toContain(`(DATABASE_MIGRATION_URL: ${LOST}${name}) cannot be used`);
  });

  it('repeats nothing that doctor finds of the database itself', async () => {
    const empty = await createEmptyDatabase();
    const commands = CommandLine.on(empty.url, { DATABASE_MIGRATION_URL: ofOwner(empty.url) });
    const { findings } = JSON.parse((await commands.run('doctor', '--json')).stdout) as {
      findings: { kind: string }[];
    };
    expect(findings.map(({ kind }) => kind)).toEqual(['migrations_pending']);
    await empty.drop();
  });
});
