import { Client } from 'pg';
import { clockFunctions } from '../database-clock';

/** Stands in the schema of the tables, before the server's own, by the search path. */
const PATH = 'public,pg_catalog';
/** A sequence: what it says is seen by all sessions at once, also by those that are in a transaction. */
const HAND = 'public.virtual_ms';
const HERE = `(select to_timestamp(last_value / 1000.0) from ${HAND})`;

/** By its name, a test that cuts connections can leave this one alone. */
export const CLOCK_SESSION = 'virtual time';

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

/** The clock of one database, as its statements, defaults and triggers ask for it: it stands at an instant until it is moved. */
export class DatabaseTime {
  private constructor(
    private readonly client: Client,
    /** For sessions that go by this clock. */
    readonly url: string,
    private readonly leave: () => void,
  ) {}

  static async begin(databaseUrl: string, nowMs: number, leave: () => void): Promise<DatabaseTime> {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', `-c search_path=${PATH}`);
    const client = new Client({ connectionString: url.href, application_name: CLOCK_SESSION });
    // The database may be dropped under it.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`create sequence ${HAND} start ${nowMs}; ${clockFunctions('public', HERE, HERE)}`);
    await client.query(DEFAULTS);
    return new DatabaseTime(client, url.href, leave);
  }

  async moveTo(nowMs: number): Promise<void> {
    await this.client.query({ name: 'move_to', text: `select setval('${HAND}', $1)`, values: [nowMs] });
  }

  async end(): Promise<void> {
    this.leave();
    await this.client.end().catch(() => undefined);
  }
}
