import { randomBytes } from 'node:crypto';
import { createDatabase, databaseUrl, runOnServer, TEMPLATE } from './database-server';
import { expectLedgerLeftConsistent } from './ledger-consistency';

export interface TestDatabase {
  readonly url: string;
  /** Money in it has to be right, whatever the test was about (breaksTheLedger). */
  drop(): Promise<void>;
}

/** A database of its own, migrated, for one test file: `afterAll(() => database.drop())`. */
export async function createTestDatabase(template = TEMPLATE, options = ''): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_DATABASE_SERVER_URL']!;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await createDatabase(serverUrl, name, template, options);
  const url = databaseUrl(serverUrl, name);
  return {
    url,
    async drop() {
      try {
        if (template === TEMPLATE) await expectLedgerLeftConsistent(url);
      } finally {
        await runOnServer(serverUrl, `drop database ${name} with (force)`);
      }
    },
  };
}

/** Without any table, as a first start finds it. */
export function createEmptyDatabase(options?: string): Promise<TestDatabase> {
  return createTestDatabase('template0', options);
}
