import { Client } from 'pg';
import { Backend } from './backend';

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

export async function openMachine(databaseUrl: string): Promise<Machine> {
  const monitor = new Client({ connectionString: databaseUrl, application_name: 'simulate (checks)' });
  monitor.on('error', () => undefined);
  await monitor.connect();
  // In another database: a look of its own would keep old rows in this one.
  const locks = new Client({ connectionString: Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href });
  locks.on('error', () => undefined);
  await locks.connect();
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
