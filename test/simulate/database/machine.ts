import { Client } from 'pg';
import { Backend, SESSIONS } from './backend';

/** What the histories of one worker run on, one after the other. */
export interface Machine {
  /** As an instance has it in its settings. */
  readonly databaseUrl: string;
  readonly monitor: Client;
  /** Real connections, the lowest number first. */
  readonly backends: Backend[];
  open(): Promise<Backend>;
  /**
   * Until it is called again, no old row goes: when one goes depends on more than the statements so far, and with it the places of new
   * rows, and with them the order in which rows are found.
   */
  keepOldRows(): Promise<void>;
}

/** After a worker was killed: its sessions that waited for a lock are stopped, with all that their transactions hold. */
async function endLeftSessions(locks: Client): Promise<void> {
  const { rows } = await locks.query<{ pid: number; worker: number }>(
    'select pid, substr(application_name, length($1) + 1)::int as worker from pg_stat_activity where starts_with(application_name, $1)',
    [SESSIONS],
  );
  const left = rows.filter(({ worker }) => !signal(worker, 0)).map(({ pid }) => pid);
  for (const pid of left) signal(pid, 'SIGCONT');
  await locks.query('select pg_terminate_backend(pid, 10000) from unnest($1::int[]) pid', [left]);
}

/** False when the process has ended. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

export async function openMachine(databaseUrl: string): Promise<Machine> {
  const monitor = new Client({ connectionString: databaseUrl, application_name: 'simulate (checks)' });
  monitor.on('error', () => undefined);
  await monitor.connect();
  // In another database: a look of its own would keep old rows in this one.
  const locks = new Client({ connectionString: Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href });
  locks.on('error', () => undefined);
  await locks.connect();
  await endLeftSessions(locks);
  const backends: Backend[] = [];
  const keeper = new Client({ connectionString: databaseUrl, application_name: 'simulate (old rows)' });
  keeper.on('error', () => undefined);
  await keeper.connect();
  return {
    databaseUrl: Object.assign(new URL(databaseUrl), { search: '' }).href,
    monitor,
    backends,
    async open() {
      const backend = await Backend.open(databaseUrl, backends.length, locks);
      backends.push(backend);
      return backend;
    },
    async keepOldRows() {
      await keeper.query('rollback; begin isolation level repeatable read; select pg_current_snapshot()');
    },
  };
}
