import { relative } from 'node:path';
import type { Configuration } from '../../config/configuration';
import { describeDatabase } from './database-urls';
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
  const description = `embedded PostgreSQL in ${shorten(dataDir)} (${new URL(embedded.url).host})`;
  return { url: embedded.url, description, close: () => embedded.release() };
}

async function openGiven(url: string, migrationUrl?: string): Promise<OpenDatabase> {
  const description = `PostgreSQL at ${describeDatabase(url)}`;
  try {
    await migrateDatabase({ url, migrationUrl });
  } catch (error) {
    throw new Error(`${description} cannot be used`, { cause: error });
  }
  return { url, description, close: async () => undefined };
}

function shorten(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}
