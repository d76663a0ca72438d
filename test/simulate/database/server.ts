import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { acquireEmbeddedPostgres } from '../../../src/database/embedded/embedded-postgres';
import { findPidFile } from '../../../src/database/embedded/pid-file';
import { migrateDatabase } from '../../../src/database/migrate-database';
import { clockFunctions } from '../../support/database-clock';
import { empty } from './empty';
import { endLeftServers, PREFIX } from './left-servers';
import { pin } from './pin';

/** Nothing outlives the run; nothing happens by itself, at a time of its own: no vacuum, no new statistics, no plan that changes. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '150',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  deadlock_timeout: '1ms',
  max_parallel_workers_per_gather: '0',
  checkpoint_timeout: '1d',
  // No session looks.
  track_activities: 'off',
  track_counts: 'off',
  update_process_title: 'off',
};

const at = (setting: string): string => `pg_catalog.current_setting('${setting}')::timestamptz`;

/**
 * The database's time, its random ids and numbers, in front of the server's own by the search path: what the service's statements, defaults and
 * triggers call `now()` is what the simulator says.
 */
const TIME = `
  create sequence sim_ids;
  create sequence sim_numbers;
  ${clockFunctions('public', at('sim.transaction'), at('sim.clock')).join(';')};
  create function gen_random_uuid() returns uuid language sql volatile
    as $$ select pg_catalog.md5('sim ' || pg_catalog.nextval('public.sim_ids'))::uuid $$;
  create function random() returns double precision language sql volatile
    as $$ select ('x' || pg_catalog.left(pg_catalog.md5('sim ' || pg_catalog.nextval('public.sim_numbers')), 8))::bit(32)::bigint / 4294967296.0 $$;`;
const SETUP = `
  alter database simulated set search_path = public, pg_catalog;
  alter database simulated set sim.clock = '2030-01-01Z';
  alter database simulated set sim.transaction = '2030-01-01Z'`;

/** Where a worker works. */
export interface Place {
  readonly databaseUrl: string;
  /** The one processor for the worker and its server; null: any. */
  readonly cpu: number | null;
}

export interface SimServer extends Place {
  stop(): Promise<void>;
}

let guard: ChildProcess | null = null;

/** In a session of its own, so that it outlives this process, and ends the server when this process cannot. */
function watchOver(directory: string): void {
  guard ??= spawn(process.execPath, [join(__dirname, 'guard.mjs')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guard.unref();
  guard.stdin!.write(`${directory}\n`);
  (guard.stdin as unknown as { unref(): void }).unref();
}

/** Each worker has its own: what runs beside it on one server decides when old rows go, and so in which order others are found. */
export async function startServer(cpu: number | null = null): Promise<SimServer> {
  await endLeftServers();
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  watchOver(directory);
  // Root's server runs as another user, who must get in.
  chmodSync(directory, 0o755);
  const sockets = join(directory, 'sockets');
  mkdirSync(sockets);
  chmodSync(sockets, 0o777);
  const server = await acquireEmbeddedPostgres(directory, { ...SETTINGS, unix_socket_directories: sockets });
  pin(findPidFile(server.dataDirectory)!.pid, cpu);
  const databaseUrl = Object.assign(new URL(server.url), { pathname: '/simulated' }).href;
  await run(server.url, 'create database simulated');
  await run(server.url, SETUP);
  await run(databaseUrl, TIME);
  // The service's own connections name their search path: columns must find this clock by default.
  await migrateDatabase({ url: `${databaseUrl}&options=-c%20search_path%3Dpublic,pg_catalog` });
  await run(databaseUrl, empty('all'));
  const stop = async () => {
    await continueSessions(server.url).catch(() => undefined);
    await server.release();
    rmSync(join(server.dataDirectory, '..'), { recursive: true, force: true });
    rmSync(directory, { recursive: true, force: true });
  };
  let stopped: Promise<void> | null = null;
  // A call over a socket of the file system costs a fraction of one over the network.
  return { databaseUrl: `${databaseUrl}&host=${sockets}`, cpu, stop: () => (stopped ??= stop()) };
}

/** Those that wait for a lock are stopped (backend.ts); of a worker that was killed they still are, and the server would wait for them. */
async function continueSessions(url: string): Promise<void> {
  for (const { pid } of await run(url, `select pid from pg_stat_activity where backend_type = 'client backend'`)) {
    try {
      process.kill(Number(pid), 'SIGCONT');
    } catch {
      // It has ended since.
    }
  }
}

async function run(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
