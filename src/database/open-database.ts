import { relative } from 'node:path';
import type { Configuration } from '../../config/configuration';
import { acquireEmbeddedPostgres } from './embedded/embedded-postgres';
import { migrateDatabase } from './migrate-database';

/** A database that is there and up to date. */
export interface OpenDatabase {
  readonly url: string;
  /** For people; without a password. */
  readonly description: string;
  close(): Promise<void>;
}

/** The given database, else the embedded one. */
export async function openDatabase({ database, dataDir }: Configuration): Promise<OpenDatabase> {
  if (database.url !== undefined) return openGiven(database.url, database.migrationUrl);
  const embedded = await acquireEmbeddedPostgres(dataDir);
  try {
    await migrateDatabase({ url: embedded.url });
  } catch (error) {
    await embedded.release();
    throw error;
  }
  const place = relative('', dataDir) || dataDir;
  const description = `embedded PostgreSQL in ${place} (${new URL(embedded.url).host})`;
  return { url: embedded.url, description, close: () => embedded.release() };
}

async function openGiven(url: string, migrationUrl?: string): Promise<OpenDatabase> {
  const { host, pathname } = new URL(url);
  const description = `PostgreSQL at ${host}${pathname}`;
  try {
    await migrateDatabase({ url, migrationUrl });
  } catch (error) {
    throw new Error(`${description} cannot be used: ${describe(error)}`, { cause: error });
  }
  return { url, description, close: async () => undefined };
}

/** Connection refused on several addresses of one name comes as an AggregateError without a message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
}
