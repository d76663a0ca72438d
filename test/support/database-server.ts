import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { acquireEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres';
import { migrateDatabase } from '../../src/database/migrate-database';

const PREFIX = 'energy-delegation-test-';
export const TEMPLATE = 'template_migrated';

/** Nothing here outlives the run, so nothing need reach the disk. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

export interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** One server for the whole run, with a migrated database to copy. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  await removeLeftovers();
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // Root's server runs as another user, who must get in.
  chmodSync(directory, 0o755);
  const server = await acquireEmbeddedPostgres(directory, FAST);
  await createDatabase(server.url, TEMPLATE);
  await migrateDatabase({ url: databaseUrl(server.url, TEMPLATE) });
  return { url: server.url, stop: () => stop(directory, server) };
}

/** Copied as files: a quarter of the processor time that the default way through the log takes. */
export async function createDatabase(
  serverUrl: string,
  name: string,
  template = 'template0',
  options = '',
): Promise<void> {
  await runOnServer(serverUrl, `create database ${name} template ${template} strategy file_copy ${options}`);
}

export async function runOnServer(serverUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

async function stop(directory: string, server: { dataDirectory: string; release(): Promise<void> }): Promise<void> {
  await server.release();
  rmSync(join(server.dataDirectory, '..'), { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
}

/** A run that was killed leaves its server behind: the next one stops it. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    if (isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue;
    const directory = join(tmpdir(), name);
    const server = await acquireEmbeddedPostgres(directory, FAST).catch(() => null);
    if (server) await stop(directory, server);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
