import { Client } from 'pg';
import { migrateDatabase } from '../../src/database/migrate-database';
import { databaseUrl, runOnServer } from './database-server';
import { until } from './until';

/** A copy of one database of the tests' server as of one moment, and what an operator does with it. */
export class DatabaseBackup {
  private constructor(
    private readonly serverUrl: string,
    /** Of the database that was copied. */
    private readonly name: string,
  ) {}

  /** Whoever is connected is thrown out for it, and comes back. */
  static async of(url: string, suffix = 'backup'): Promise<DatabaseBackup> {
    const name = new URL(url).pathname.slice(1);
    const backup = new DatabaseBackup(databaseUrl(url, 'postgres'), name);
    await backup.copyTo(`${name}_${suffix}`);
    return new DatabaseBackup(backup.serverUrl, name).named(suffix);
  }

  private suffix = 'backup';
  private named(suffix: string): this {
    this.suffix = suffix;
    return this;
  }

  get url(): string {
    return databaseUrl(this.serverUrl, this.copy);
  }

  /** In the place of the database, under its name: another database for PostgreSQL. Nobody may be connected. */
  async replace(): Promise<void> {
    await runOnServer(this.serverUrl, `drop database ${this.name} with (force)`);
    await runOnServer(this.serverUrl, `alter database ${this.copy} rename to ${this.name}`);
  }

  /** As `pg_restore --clean` does: the same database, its tables dropped, made again and filled. */
  async restoreClean(): Promise<void> {
    const into = databaseUrl(this.serverUrl, this.name);
    await this.on(into, 'drop schema public cascade; create schema public');
    await migrateDatabase({ url: into });
    const from = new Client(this.url);
    const to = new Client(into);
    await Promise.all([from.connect(), to.connect()]);
    try {
      await to.query('set session_replication_role = replica');
      for (const table of await tablesOf(from)) {
        await to.query(`delete from ${table}`);
        const { rows } = await from.query<{ rows: unknown }>(`select json_agg(t)::text as rows from ${table} t`);
        await to.query(
          `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
          [rows[0]!.rows ?? '[]'],
        );
      }
      await to.query(NEXT_VALUES);
    } finally {
      await Promise.all([from.end(), to.end()]);
    }
  }

  async drop(): Promise<void> {
    await runOnServer(this.serverUrl, `drop database if exists ${this.copy} with (force)`);
  }

  private get copy(): string {
    return `${this.name}_${this.suffix}`;
  }

  private async copyTo(copy: string): Promise<void> {
    await runOnServer(this.serverUrl, `alter database ${this.name} allow_connections false`);
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.name}'`;
    await until('no connection', async () => {
      await runOnServer(this.serverUrl, cut);
      return runOnServer(this.serverUrl, `create database ${copy} template ${this.name}`).then(
        () => true,
        () => false,
      );
    });
    await runOnServer(this.serverUrl, `alter database ${this.name} allow_connections true`);
  }

  private async on(url: string, sql: string): Promise<void> {
    await runOnServer(url, sql);
  }
}

/** What the next row of each table gets, which a dump brings along too. */
const NEXT_VALUES = `
  do $$ declare one record; begin
    for one in select c.oid::regclass as sequence, d.refobjid::regclass as owner, a.attname
                 from pg_class c join pg_depend d on d.objid = c.oid and d.deptype in ('a', 'i')
                 join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
                where c.relkind = 'S' loop
      execute format('select setval(%L, coalesce((select max(%I) from %s), 0) + 1000)', one.sequence, one.attname, one.owner);
    end loop;
  end $$`;

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}
