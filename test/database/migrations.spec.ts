import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { CONNECTION_LIMITS } from '../../src/database/connection-limits';
import { migrateDatabase } from '../../src/database/migrate-database';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { ormOptions } from '../../src/database/mikro-orm.config';
import { findSchemaDrift } from '../../src/database/schema-drift';
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
    const orm = await MikroORM.init(ormOptions(url));
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

  it('take longer than a request may, each committed before the next begins', async () => {
    const { url } = keep(await createEmptyDatabase());
    const client = new Client(url);
    await client.connect();
    const applied = async () => {
      const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by id');
      return rows.map(({ name }) => name);
    };
    try {
      // As on a large table: 0005 has an index dropped and made anew.
      await client.query(`
        create function large_table() returns event_trigger language plpgsql as $$
        begin
          -- Not for those that later ones drop.
          if to_regclass('reconcile_mark') is null then
            perform pg_sleep(${(CONNECTION_LIMITS.query_timeout + 1_000) / 1_000});
          end if;
        end $$;
        create event trigger large_table on ddl_command_end when tag in ('DROP INDEX') execute function large_table()`);
      const migrated = migrateDatabase({ url });
      await until('the slow migration', async () => {
        const slow = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
        return (await client.query(slow)).rowCount === 1;
      });
      expect(await applied()).toEqual(MIGRATIONS.slice(0, 4).map(({ name }) => name));
      await migrated;
      expect(await applied()).toEqual(MIGRATIONS.map(({ name }) => name));
    } finally {
      await client.end();
    }
  });

  it('keep what was found before in sight: no wallet is paused for it again, and a shortage can be acknowledged', async () => {
    const { url } = keep(await createEmptyDatabase());
    const orm = await MikroORM.init(ormOptions(url));
    try {
      await orm.migrator.up({ to: '0010-wallets-resume' });
      const sql = orm.em.getConnection();
      await sql.execute(
        `insert into pool_wallets (id, name, address, role, key_source)
         values ('00000000-0000-7000-8000-000000000001', 'main to east', 'a', 'delegate', 'env:NO_KEY')`,
      );
      await sql.execute(
        `insert into findings (kind, subject, reason, next_step, resolved_at) values
           ('delegation_foreign', 'main to east to T1', 'the chain shows 50 sun lent, the orders explain at most 20', '', null),
           ('undelegation_foreign', 'main to east to T2',
            'the chain shows 5 sun lent, the orders say at least 9; every delegation of them is in its block', '', null),
           ('delegation_foreign', 'main to east to T3', 'the chain shows 50 sun lent, the orders explain at most 20', '', now()),
           ('shortage', 'delegation 1', '7 of 9 sun were no longer there to take back', '', null),
           ('low_trx', 'main to east', '5 sun pay for 2 more activations', '', null)`,
      );
      await orm.migrator.up();
      const known = 'select receiver, foreign_sun::text, missing_sun::text from unexplained_stakes order by receiver';
      expect(await sql.execute(known)).toEqual([
        { receiver: 'T1', foreign_sun: '30', missing_sun: '0' },
        { receiver: 'T2', foreign_sun: '0', missing_sun: '4' },
      ]);
      const amounts = 'select kind, amount_sun::text as sun from findings where amount_sun is not null';
      expect(await sql.execute(amounts)).toEqual([{ kind: 'shortage', sun: '7' }]);
    } finally {
      await orm.close();
    }
  });

  it.each(['ledger_entries', 'delegation_events'])('let nobody change or remove rows of %s', async (table) => {
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
