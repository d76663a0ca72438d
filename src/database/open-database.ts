import { relative } from 'node:path';
import type { Configuration } from '../../config/configuration';
import { describeSources } from '../../config/environment';
import { describeDatabase } from '../../config/database-urls';
import { acquireEmbeddedPostgres, acquireExistingPostgres, type EmbeddedPostgres } from './embedded/embedded-postgres';
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
  return openEmbedded(await acquireEmbeddedPostgres(dataDir), dataDir);
}

/**
 * The same for a command, which never makes the embedded database: without the service's settings it would put money into a new one, which
 * no service reads, and succeed. @throws NoDatabaseError
 */
export async function openExistingDatabase(configuration: Configuration): Promise<OpenDatabase> {
  const { database, dataDir } = configuration;
  if (database.url !== undefined) return openGiven(database.url, database.migrationUrl);
  const embedded = await acquireExistingPostgres(dataDir);
  if (!embedded) throw new NoDatabaseError(configuration);
  return openEmbedded(embedded, dataDir);
}

export class NoDatabaseError extends Error {
  readonly reason: string;
  readonly nextStep =
    'On a host run the command as the service does, with energy-cli (deploy/systemd/energy-cli). Elsewhere set DATABASE_URL, or DATA_DIR as the service has it';

  constructor({ dataDir }: Configuration) {
    super();
    this.name = 'NoDatabaseError';
    this.reason = `DATABASE_URL is not set, and no service has made an embedded database in ${dataDir} (DATA_DIR); settings are read from ${describeSources()}`;
    this.message = `No database: ${this.reason}. ${this.nextStep}.`;
  }
}

async function openEmbedded(embedded: EmbeddedPostgres, dataDir: string): Promise<OpenDatabase> {
  const description = `embedded PostgreSQL in ${shorten(dataDir)} (${new URL(embedded.url).host})`;
  try {
    await migrateDatabase({ url: embedded.url });
  } catch (error) {
    await embedded.release();
    throw new Error(`${description} cannot be used`, { cause: error });
  }
  return { url: embedded.url, description, close: () => embedded.release() };
}

async function openGiven(url: string, migrationUrl?: string): Promise<OpenDatabase> {
  const description = `PostgreSQL at ${describeDatabase(url)}`;
  try {
    await migrateDatabase({ url, migrationUrl });
  } catch (error) {
    const migrations = migrationUrl && ` (DATABASE_MIGRATION_URL: ${describeDatabase(migrationUrl)})`;
    throw new Error(`${description}${migrations ?? ''} cannot be used`, { cause: error });
  }
  return { url, description, close: async () => undefined };
}

function shorten(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}
