import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { MIGRATION_LOCK } from './advisory-locks';
import { setWhereKnown, UNTIMED_TRANSACTIONS } from './later-settings';

/** Between two tries those whom a migration has kept waiting get their turn. */
export const NEXT_TRY_MS = 300;
/** After some five seconds. */
const TRIES_IN_SILENCE = 17;

/**
 * The lock ends with its session, and the server does not see that a machine has lost its power or its network: with the system's defaults
 * it asks after two hours of silence, and every start and every command would wait for so long. So it asks after ten seconds. While a
 * migration runs, the session that holds the lock is idle: an `idle_session_timeout` of the server would end it, and the start with it.
 */
const MIGRATION_SESSION = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  idle_session_timeout: '0',
  ...UNTIMED_TRANSACTIONS,
};

/** For each connection of migrations. PgBouncer refuses these at the start of a session, and others need no such connection. */
export async function setMigrationSession(client: Pick<Client, 'query'>): Promise<void> {
  await setWhereKnown(client, MIGRATION_SESSION);
}

/**
 * Asks again and again: who waits for a lock within a statement keeps a snapshot, and an index that is built concurrently waits for
 * every older snapshot. The two would wait for each other for ever.
 */
export async function awaitMigrationLock(client: Client): Promise<void> {
  await setMigrationSession(client);
  for (let tries = 1; ; tries++) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`);
    if (rows[0]!.taken) return;
    if (tries === TRIES_IN_SILENCE) await sayWhoHoldsIt(client);
    await sleep(NEXT_TRY_MS);
  }
}

interface Holder {
  readonly pid: number;
  /** What the server shows of it to this role. */
  readonly session: string;
}

/** Not in the log, which a command does not have; what a command prints stays a document. */
async function sayWhoHoldsIt(client: Client): Promise<void> {
  const { rows } = await client.query<Holder>(
    `select a.pid, concat_ws(', ', nullif(a.application_name, ''), 'role ' || a.usename, 'from ' || host(a.client_addr) || ':' || a.client_port,
                             a.state || ' since ' || to_char(a.state_change, 'YYYY-MM-DD HH24:MI:SS TZ')) as session
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and (l.classid, l.objid, l.objsubid) = (${MIGRATION_LOCK}, 2)
        and l.database = (select oid from pg_database where datname = current_database())`,
  );
  for (const { pid, session } of rows)
    process.stderr.write(
      `Waiting for the session that applies migrations: process ${pid} of PostgreSQL (${session}). If its machine is gone: select pg_terminate_backend(${pid})\n`,
    );
}
