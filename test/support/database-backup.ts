import { Client } from 'pg';
import { migrateDatabase } from '../../src/database/migrate-database';
import { databaseUrl, runOnServer } from './database-server';
import { until } from './until';

/** A copy of one database of the tests' server as of one moment, and what becomes of such copies. */
export class DatabaseBackup {
  private readonly serverUrl: string;
  private readonly name: string;
  private readonly copy: string;

  private constructor(private readonly original: string) {
    this.serverUrl = databaseUrl(original, 'postgres');
    this.name = new URL(original).pathname.slice(1);
    this.copy = `${this.name}_backup`;
  }

  /** Connections to the original are cut for it; the service opens new ones. */
  static async of(url: string): Promise<DatabaseBackup> {
    const backup = new DatabaseBackup(url);
    await backup.take();
    return backup;
  }

  /** URL of the copy, a database beside the original. */
  get url(): string {
    return databaseUrl(this.serverUrl, this.copy);
  }

  /** Under the original's name, with no instance running: for PostgreSQL it is another database. */
  async replace(): Promise<void> {
    await runOnServer(this.serverUrl, `drop database ${this.name} with (force)`);
    await runOnServer(this.serverUrl, `alter database ${this.copy} rename to ${this.name}`);
  }

  /** As `pg_restore --clean` does: in the same database tables are dropped, made again and filled. */
  async restoreClean(): Promise<void> {
    await runOnServer(this.original, 'drop schema public cascade; create schema public');
    await migrateDatabase({ url: this.original });
    await this.restoreRows();
  }

  /** As when the server's files are put back from a cold copy: all that tells one database from another is as it was. */
  async restoreRows(): Promise<void> {
    const from = new Client(this.url);
    const to = new Client(this.original);
    await Promise.all([from.connect(), to.connect()]);
    try {
      // Without triggers, in one transaction: who reads meanwhile waits.
      await to.query('begin; set local session_replication_role = replica');
      const tables = await tablesOf(from);
      await to.query(`lock table ${tables.join(', ')}`);
      for (const table of tables) {
        const { rows } = await from.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${table} t`);
        await to.query(`delete from ${table}`);
        await to.query(
          `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
          [rows[0]!.rows ?? '[]'],
        );
      }
      await to.query(NEXT_VALUES);
      await to.query('commit');
    } finally {
      await Promise.all([from.end(), to.end()]);
    }
  }

  async drop(): Promise<void> {
    await runOnServer(this.serverUrl, `drop database if exists ${this.copy} with (force)`);
  }

  private async take(): Promise<void> {
    await runOnServer(this.serverUrl, `alter database ${this.name} allow_connections false`);
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.name}'`;
    await until('no connection', async () => {
      await runOnServer(this.serverUrl, cut);
      return runOnServer(this.serverUrl, `create database ${this.copy} template ${this.name}`).then(
        () => true,
        () => false,
      );
    });
    await runOnServer(this.serverUrl, `alter database ${this.name} allow_connections true`);
  }
}

/** A dump brings the sequences along, too. */
const NEXT_VALUES = `
  do $$ declare one record; begin
    for one in select c.oid::regclass as sequence, d.refobjid::regclass as owner, a.attname
                 from pg_class c join pg_depend d on d.objid = c.oid and d.deptype in ('a', 'i')
                 join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
                where c.relkind = 'S' loop
      execute format('select setval(%L, (select coalesce(max(%I), 0) + 1 from %s))', one.sequence, one.attname, one.owner);
    end loop;
  end $$`;

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}
