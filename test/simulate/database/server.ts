import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { acquireEmbeddedPostgres } from '../../../src/database/embedded/embedded-postgres';
import { migrateDatabase } from '../../../src/database/migrate-database';

/** Nothing outlives the run; nothing happens by itself, at a time of its own: no vacuum, no new statistics, no plan that changes. */
const SETTINGS = {
  fsync: 'off',
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
};

/**
 * The database's time and its random ids, in front of the server's own by the search path: what the service's statements, defaults and
 * triggers call `now()` is what the simulator says.
 */
const TIME = `
  create sequence sim_ids;
  create function now() returns timestamptz language sql stable
    as $$ select pg_catalog.current_setting('sim.transaction')::timestamptz $$;
  create function clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.current_setting('sim.clock')::timestamptz $$;
  create function statement_timestamp() returns timestamptz language sql stable
    as $$ select pg_catalog.current_setting('sim.clock')::timestamptz $$;
  create function gen_random_uuid() returns uuid language sql volatile
    as $$ select pg_catalog.md5('sim ' || pg_catalog.nextval('public.sim_ids'))::uuid $$;`;
const SETUP = `
  alter database simulated set search_path = public, pg_catalog;
  alter database simulated set sim.clock = '2030-01-01Z';
  alter database simulated set sim.transaction = '2030-01-01Z'`;

export interface SimServer {
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/** Each worker has its own: what runs beside it on one server decides when old rows go, and so in which order others are found. */
export async function startServer(): Promise<SimServer> {
  const directory = mkdtempSync(join(tmpdir(), 'energy-delegation-simulator-'));
  // Root's server runs as another user, who must get in.
  chmodSync(directory, 0o755);
  const server = await acquireEmbeddedPostgres(directory, SETTINGS);
  const databaseUrl = Object.assign(new URL(server.url), { pathname: '/simulated' }).href;
  await run(server.url, 'create database simulated');
  await run(server.url, SETUP);
  await run(databaseUrl, TIME);
  await migrateDatabase({ url: databaseUrl });
  return {
    databaseUrl,
    async stop() {
      await server.release();
      rmSync(join(server.dataDirectory, '..'), { recursive: true, force: true });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function run(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
