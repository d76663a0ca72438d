import { type MigrationObject, MikroORM } from '@mikro-orm/postgresql';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { CONNECTION_LIMITS, MIGRATION_LIMITS } from './connection-limits';
import { connectToWritable } from './database-hosts';
import { grantToApplication } from './grant-to-application';
import { SCHEMA_NAME } from './migrations/0001-schema.migration';
import { awaitMigrationLock, NEXT_TRY_MS, setMigrationSession } from './migration-lock';
import { MIGRATIONS } from './migrations/migrations';
import { ormOptions } from './mikro-orm.config';
import { SESSION_SETTINGS } from './session-client';

const OLDEST_POSTGRES = 15;
/** About a minute, with the wait of each try. */
const LOCK_ATTEMPTS = 60;
const LONGEST_CLOSING_MS = 1_000;

export interface DatabaseUrls {
  readonly url: string;
  /** Another role for migrations, so that the application's own cannot change tables. */
  readonly migrationUrl?: string;
}

/** Brings the database up to date. Of several instances that start together, one does it and the others wait. */
export async function migrateDatabase(
  { url, migrationUrl = url }: DatabaseUrls,
  migrations: MigrationObject[] = MIGRATIONS,
): Promise<void> {
  const applicationRole = await withClient(url, readRole);
  await withClient(migrationUrl, async (client) => {
    await refuseOldPostgres(client);
    await refuseOtherEncoding(client);
    await refuseOtherSchema(client);
    await refuseEarlierSchema(client);
    const ownRole = (await readRole(client)) === applicationRole;
    if (!ownRole || (await findPendingMigrations(client, migrations)).length > 0) {
      await awaitMigrationLock(client);
      // Another version may have made its tables meanwhile.
      await refuseEarlierSchema(client);
      await Promise.race([applyMigrations(migrationUrl, migrations), loss(client)]);
      if (!ownRole) await grantToApplication(client, applicationRole);
    }
    if (migrationUrl !== url) await refuseOtherTables(client, url);
  });
}

/** The names of the migrations that this database lacks. */
export async function findPendingMigrations(
  client: Client | Pool,
  migrations: readonly MigrationObject[] = MIGRATIONS,
): Promise<string[]> {
  const applied = new Set(await findAppliedMigrations(client));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function refuseEarlierSchema(client: Client): Promise<void> {
  const earlier = await findEarlierSchema(client);
  if (earlier !== null) throw new Error(`${earlier}. ${NEW_DATABASE}`);
}

export const NEW_DATABASE =
  'Set DATABASE_URL (or DATA_DIR, for the embedded one) to a new database; the version that made this one settles its orders.';

/** Why this version cannot work with the database, when another text of `0001-schema` made it; else null. */
export async function findEarlierSchema(client: Client | Pool): Promise<string | null> {
  const first = (await findAppliedMigrations(client)).find((name) => name.startsWith('0001-'));
  if (first === undefined || first === SCHEMA_NAME) return null;
  return `another version from before the first release made its tables (${first}, not ${SCHEMA_NAME})`;
}

async function findAppliedMigrations(client: Client | Pool): Promise<string[]> {
  const table = await client.query<{ found: boolean }>(
    `select to_regclass('mikro_orm_migrations') is not null as found`,
  );
  if (table.rows[0]?.found !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by id');
  return rows.map(({ name }) => name);
}

/** Rejects once the session is gone that holds the lock: another start may apply migrations then. */
async function loss(client: Client): Promise<never> {
  await once(client, 'end');
  throw new Error('the database server has ended the session that holds the lock of migrations');
}

async function applyMigrations(migrationUrl: string, migrations: MigrationObject[]): Promise<void> {
  // One connection, so that what a migration sets for its session holds for its next statement.
  const orm = await MikroORM.init(
    ormOptions(migrationUrl, { limits: MIGRATION_LIMITS, connections: 1, onConnect: setMigrationSession, migrations }),
  );
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await orm.migrator.up();
        return;
      } catch (error) {
        if (!isLockedOut(error) || attempt === LOCK_ATTEMPTS) throw error;
        await sleep(NEXT_TRY_MS);
      }
    }
  } finally {
    // Kysely never gives a connection back whose rollback has failed, because the server has cut it: the pool would wait for it for ever.
    const closed = new AbortController();
    const closing = orm.close().finally(() => closed.abort());
    await Promise.race([closing, sleep(LONGEST_CLOSING_MS, undefined, closed).catch(() => undefined)]);
  }
}

/** Somebody else had the table for too long, or the two waited for each other: what was begun is rolled back. */
function isLockedOut(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '55P03' || code === '40P01';
}

async function readRole(client: Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>('select current_user as role');
  return rows[0]!.role;
}

async function refuseOldPostgres(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: string; text: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
  );
  if (Number(rows[0]!.number) >= OLDEST_POSTGRES * 10_000) return;
  throw new Error(`PostgreSQL ${rows[0]!.text} is too old: ${OLDEST_POSTGRES} or newer is needed.`);
}

/** In another encoding names in Chinese have no place, or count and are cut as bytes. */
async function refuseOtherEncoding(client: Client): Promise<void> {
  const encoding = await findOtherEncoding(client);
  if (encoding !== null)
    throw new Error(`The database keeps texts as ${encoding}, and not as ${ENCODING}. ${UTF8_DATABASE}`);
}

/** Null where the database has the right one. */
export async function findOtherEncoding(client: Client | Pool): Promise<string | null> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`);
  const { encoding } = rows[0]!;
  return encoding === ENCODING ? null : encoding;
}

const ENCODING = 'UTF8';
export const UTF8_DATABASE = `Make another database: create database … encoding '${ENCODING}' template template0 (docs/operations.md, step 1).`;

/**
 * Where the URL names no schema, tables are looked for in one alone: of a database with its tables in another, all would be made once
 * more, empty. Other programs keep their migrations under the same name: ours are those beside a table of ours.
 */
async function refuseOtherSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname = 'mikro_orm_migrations' and to_regclass('mikro_orm_migrations') is null
        and exists (select from pg_class own where own.relname = 'chain_transactions' and own.relnamespace = n.oid)
        and current_setting('search_path') = $1`,
    [SESSION_SETTINGS.search_path],
  );
  if (rows.length === 0) return;
  const { schema } = rows[0]!;
  throw new Error(`Its tables are in the schema ${schema}: add options=-c%20search_path%3D${schema} to the URL.`);
}

/** The service would find no tables, or work with those that no migration has reached. */
async function refuseOtherTables(migrating: Client, url: string): Promise<void> {
  const migrated = await findSchema(migrating);
  if ((await withClient(url, findSchema)) === migrated) return;
  throw new Error(
    `DATABASE_URL does not find the tables of the schema ${migrated}, to which migrations are applied: let both URLs name one schema (options=-c%20search_path%3Dname).`,
  );
}

async function findSchema(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ schema: string }>(
    `select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.oid = to_regclass('chain_transactions')`,
  );
  return rows[0]?.schema;
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  // Its statements read, or grant rights; the migrations themselves go through a connection without this limit.
  const { query_timeout } = CONNECTION_LIMITS;
  const application_name = 'energy-delegation (migrations)';
  const client = await connectToWritable(databaseUrl, { application_name, query_timeout });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
