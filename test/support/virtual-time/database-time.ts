import { Client } from 'pg';
import { clockFunctions } from '../database-clock';
import type { SessionState } from './busy-clients';

/** By it, sessions find the functions in the schema of the tables before the server's own. */
const PATH = 'public,pg_catalog';
/** All sessions see the value of a sequence at once, also those in a transaction. */
const HAND = 'public.virtual_ms';
const HERE = `(select to_timestamp(last_value / 1000.0) from ${HAND})`;

/** A test that cuts connections leaves this one alone, by its name. */
export const CLOCK_SESSION = 'virtual time';

const STATES = `
  select pid, case when cardinality(pg_blocking_pids(pid)) > 0 then 'blocked' when state = 'active' then 'active' else 'idle' end as state
    from pg_stat_activity where pid = any($1) and datname = current_database()`;

const DEFAULTS = `
  do $$
    declare of record;
    begin
      for of in
        select d.adrelid::regclass as owner, a.attname as name, replace(pg_get_expr(d.adbin, d.adrelid), 'pg_catalog.', '') as value
          from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
         where pg_get_expr(d.adbin, d.adrelid) ~ '(now|_timestamp)\\('
      loop
        execute format('alter table %s alter column %I set default %s', of.owner, of.name, of.value);
      end loop;
    end $$`;

/** The clock that statements, defaults and triggers of one database read: it stands until it is moved. */
export class DatabaseTime {
  private constructor(
    private readonly client: Client,
    /** For sessions that read this clock. */
    readonly url: string,
    private readonly leave: () => void,
  ) {}

  static async begin(databaseUrl: string, nowMs: number, leave: () => void): Promise<DatabaseTime> {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', `-c search_path=${PATH}`);
    const client = new Client({ connectionString: url.href, application_name: CLOCK_SESSION });
    // A test may drop the database first.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`create sequence ${HAND} start ${nowMs}; ${clockFunctions('public', HERE, HERE).join(';')}`);
    await client.query(DEFAULTS);
    return new DatabaseTime(client, url.href, leave);
  }

  async moveTo(nowMs: number): Promise<void> {
    await this.client.query({ name: 'move_to', text: `select setval('${HAND}', $1)`, values: [nowMs] });
  }

  /** For the sessions that use this database. */
  async statesOf(pids: number[]): Promise<[pid: number, SessionState][]> {
    const { rows } = await this.client.query<{ pid: number; state: SessionState }>({
      name: 'states',
      text: STATES,
      values: [pids],
    });
    return rows.map(({ pid, state }) => [pid, state]);
  }

  async end(): Promise<void> {
    this.leave();
    await this.client.end().catch(() => undefined);
  }
}
