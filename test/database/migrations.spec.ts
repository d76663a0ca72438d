import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { CONNECTION_LIMITS } from '../../src/database/connection-limits';
import { diagnoseDatabase } from '../../src/database/diagnose-database';
import { migrateDatabase } from '../../src/database/migrate-database';
import { SCHEMA_NAME } from '../../src/database/migrations/0001-schema.migration';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { ormOptions } from '../../src/database/mikro-orm.config';
import { findSchemaDrift } from '../../src/database/schema-drift';
import { ENTITIES } from '../../src/entities';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

/** An account with a credit, written together. */
const CREDITED = `
  with account as (insert into accounts (user_id, balance_sun) select id, 1 from users returning user_id)
  insert into ledger_entries (user_id, kind, amount_sun, balance_sun) select user_id, 'credit', 1, 1 from account`;

describe('migrations', () => {
  const databases: TestDatabase[] = [];
  const keep = (database: TestDatabase) => {
    databases.push(database);
    return database;
  };
  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  it('leave nothing between the entities and the migrated database', async () => {
    const { url } = keep(await createTestDatabase());
    const orm = await MikroORM.init(ormOptions(url, { entities: ENTITIES }));
    try {
      expect(await findSchemaDrift(orm)).toEqual([]);
    } finally {
      await orm.close();
    }
  });

  it('are applied once by several instances that start at the same moment', async () => {
    const { url } = keep(await createEmptyDatabase());
    await Promise.all([1, 2, 3, 4].map(() => migrateDatabase({ url })));
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query('select name from mikro_orm_migrations');
    await client.end();
    expect(rows).toEqual(MIGRATIONS.map(({ name }) => ({ name })));
  });

  it('take longer than a request or the database may, each committed before the next begins', async () => {
    const { url } = keep(await createEmptyDatabase());
    const client = new Client(url);
    await client.connect();
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '10s'`);
    const applied = async () => {
      const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by id');
      return rows.map(({ name }) => name);
    };
    class Slow extends Migration {
      override up(): void {
        this.addSql(`select pg_sleep(${(CONNECTION_LIMITS.query_timeout + 1_000) / 1_000})`);
      }
    }
    const migrations = [...MIGRATIONS, { name: '0002-slow', class: Slow }];
    try {
      const migrated = migrateDatabase({ url }, migrations);
      await until('the slow migration', async () => {
        const slow = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
        return (await client.query(slow)).rowCount === 1;
      });
      expect(await applied()).toEqual(MIGRATIONS.map(({ name }) => name));
      await migrated;
      expect(await applied()).toEqual(migrations.map(({ name }) => name));
    } finally {
      await client.end();
    }
  });

  it.each([
    ['the first of 60 migrations', '0001-first-tables'],
    ['another text of the schema', '0001-schema.000000000000'],
  ])('refuse a database that was made by %s, and change nothing in it', async (_, name) => {
    const { url } = keep(await createTestDatabase());
    const client = new Client(url);
    await client.connect();
    try {
      await client.query('update mikro_orm_migrations set name = $1', [name]);
      await client.query('drop table waived_activations');
      await expect(migrateDatabase({ url })).rejects.toThrow(
        `from before the first release made its tables (${name}, not ${SCHEMA_NAME}). Set DATABASE_URL (or DATA_DIR`,
      );
      expect((await diagnoseDatabase(url)).map(({ kind }) => kind)).toEqual(['database_of_other_version']);
      const { rows } = await client.query(
        `select to_regclass('waived_activations') as found, name from mikro_orm_migrations`,
      );
      expect(rows).toEqual([{ found: null, name }]);
    } finally {
      await client.end();
    }
  });

  it('go by another checksum once the text of the schema is another, whatever ends its lines', () => {
    const path = join(__dirname, '../../src/database/migrations/0001-schema.sql');
    const text = readFileSync(path, 'utf8');
    const checksum = (changed: string) => createHash('sha256').update(changed).digest('hex').slice(0, 12);
    expect(SCHEMA_NAME).toBe(`0001-schema.${checksum(text)}`);
    expect(SCHEMA_NAME).not.toBe(`0001-schema.${checksum(`${text} `)}`);
  });

  it.each(['ledger_entries', 'delegation_events'])('let no statement change or remove rows of %s', async (table) => {
    const { url } = keep(await createTestDatabase());
    const client = new Client(url);
    await client.connect();
    try {
      await client.query(`insert into users (id, email, name) values (gen_random_uuid(), 'a@example.com', 'A')`);
      await client.query(CREDITED);
      await client.query(
        `insert into delegation_events (delegation_id, kind, detail) select id, 'ordered', '{}' from users`,
      );
      for (const sql of [`update ${table} set id = id`, `delete from ${table}`, `truncate ${table} cascade`]) {
        await expect(client.query(sql)).rejects.toThrow(`${table} is append-only`);
      }
    } finally {
      await client.end();
    }
  });

  it('and the service run by the two roles that deploy/postgres makes, in a database closed to others', async () => {
    const server = keep(await createEmptyDatabase());
    const superuser = new Client(server.url);
    await superuser.connect();
    const name = `compose_${process.pid}`;
    const script = readFileSync(join(__dirname, '../../deploy/postgres/roles.sql'), 'utf8');
    // As psql reads it, under names of this run.
    const statements = script
      .replace(/^(?:--|\\).*$/gm, '')
      .replaceAll(/:'(\w+)'/g, `'$1'`)
      .replaceAll('energy', name);
    for (const statement of statements.split(';').filter((text) => text.trim() !== ''))
      await superuser.query(statement);
    const urlOf = (role: string) =>
      Object.assign(new URL(server.url), { pathname: name, username: `${name}_${role}`, password: `${role}_password` })
        .href;

    const service = await migrateDatabase({ url: urlOf('app'), migrationUrl: urlOf('owner') }).then(
      () => new Client(urlOf('app')),
    );
    await service.connect();
    await service.query(`insert into users (id, email, name) values (gen_random_uuid(), 'a@example.com', 'A')`);
    await expect(service.query('drop table holds')).rejects.toThrow('must be owner');
    await expect(service.query('create table mine (id int)')).rejects.toThrow('permission denied');
    await service.end();
    const { rows } = await superuser.query(
      `select 1 from pg_roles r where r.rolname in ($1, $2) and (rolsuper or rolcreatedb or rolcreaterole)`,
      [`${name}_app`, `${name}_owner`],
    );
    expect(rows).toEqual([]);
    const access = await superuser.query(`select has_database_privilege('public', $1, 'connect') as open`, [name]);
    expect(access.rows).toEqual([{ open: false }]);
    await superuser.query(`drop database ${name} with (force)`);
    await superuser.query(`drop role ${name}_app`);
    await superuser.query(`drop role ${name}_owner`);
    await superuser.end();
  });

  it('by a role of their own leave the application with rows to work on and no say over tables', async () => {
    const { url } = keep(await createEmptyDatabase());
    const owner = new Client(url);
    await owner.connect();
    const role = `application_${process.pid}`;
    await owner.query(`create role ${role} login password 'secret'`);
    const applicationUrl = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
    await migrateDatabase({ url: applicationUrl, migrationUrl: url });

    const application = new Client(applicationUrl);
    await application.connect();
    await application.query(`insert into users (id, email, name) values (gen_random_uuid(), 'a@example.com', 'A')`);
    await application.query(CREDITED);
    for (const sql of [
      'alter table users add x int',
      'drop table holds',
      'truncate holds',
      'update ledger_entries set note = 1',
    ]) {
      await expect(application.query(sql)).rejects.toThrow(/permission denied|must be owner/);
    }
    await application.end();
    await owner.query(`drop owned by ${role}`);
    await owner.query(`drop role ${role}`);
    await owner.end();
  });
});
