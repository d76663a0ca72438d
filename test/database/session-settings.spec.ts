import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { MIGRATION_LIMITS } from '../../src/database/connection-limits';
import { connectToWritable } from '../../src/database/database-hosts';
import { diagnoseDatabase } from '../../src/database/diagnose-database';
import { ReceiptLookup } from '../../src/delegation/lookup/receipt-lookup';
import { findPendingMigrations, migrateDatabase } from '../../src/database/migrate-database';
import { ormOptions } from '../../src/database/mikro-orm.config';
import { ServicePool } from '../../src/database/service-pool';
import { SESSION_SETTINGS } from '../../src/database/session-client';
import { runOnServer } from '../support/database-server';
import { OrderWorld } from '../support/order-world';
import { Pooler } from '../support/pooler';
import { inSchemas } from '../support/standing-clock';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database';

/** What a database may have as its defaults. */
const OTHERWISE = {
  datestyle: `'German, DMY'`,
  timezone: `'Pacific/Kiritimati'`,
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  default_transaction_isolation: 'serializable',
  search_path: 'elsewhere, public',
};

/** And of what no connection asks for: statements must not depend on it. */
const UNASKED = {
  bytea_output: 'escape',
  extra_float_digits: '0',
  intervalstyle: 'sql_standard',
  transform_null_equals: 'on',
  default_transaction_deferrable: 'on',
  client_min_messages: 'debug5',
  idle_session_timeout: `'1s'`,
  plan_cache_mode: 'force_generic_plan',
  debug_parallel_query: 'on',
};

/** Those that a session can turn, but for what the service asks for or is refused for, and what is for damaged data or the server's log. */
const EVERY_SWITCH = `
  do $$ declare s record; begin
    for s in select name, setting from pg_settings
              where context in ('user', 'superuser') and vartype = 'bool' and name !~ '^(debug|log|trace|ignore|transaction)_'
                and name not in ('array_nulls', 'standard_conforming_strings', 'default_transaction_read_only', 'is_superuser',
                                 'row_security', 'zero_damaged_pages', 'allow_system_table_mods') loop
      execute format('alter database %I set %I = %L', current_database(), s.name, case s.setting when 'on' then 'off' else 'on' end);
    end loop;
  end $$`;

const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function setDefaults(url: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const each = Object.entries(settings).map(([name, value]) => `alter database ${nameOf(url)} set ${name} = ${value}`);
  await runOnServer(url, [...each, 'create schema if not exists elsewhere'].join(';'));
}

async function tablesIn(url: string, schema: string): Promise<boolean> {
  const client = await connectToWritable(url);
  const { rows } = await client.query(`select to_regclass($1) is not null as there`, [`${schema}.delegations`]);
  await client.end();
  return (rows[0] as { there: boolean }).there;
}

const READ = `select name, current_setting(name) as value from unnest($1::text[]) as name`;
type Rows = { name: string; value: string }[];
const settingsOf = (rows: Rows) => Object.fromEntries(rows.map(({ name, value }) => [name, value]));

describe('a database, role or server with other defaults', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await setDefaults(database.url, OTHERWISE);
  });
  afterAll(() => database.drop());

  const NAMES = Object.keys(SESSION_SETTINGS);
  const WAYS: Record<string, (url: string) => Promise<Rows>> = {
    'the pool of statements': async (url) => {
      const pool = new ServicePool(url);
      const { rows } = await pool.query<Rows[number]>(READ, [NAMES]);
      await pool.end();
      return rows;
    },
    'the pool of the ORM, and of migrations': async (url) => {
      const orm = await MikroORM.init(ormOptions(url, { limits: MIGRATION_LIMITS, connections: 1 }));
      const rows = await orm.em.execute<Rows>(
        `select name, current_setting(name) as value from unnest('{${NAMES.join(',')}}'::text[]) as name`,
      );
      await orm.close();
      return rows;
    },
    'a connection by itself': async (url) => {
      const client = await connectToWritable(url);
      const { rows } = await client.query<Rows[number]>(READ, [NAMES]);
      await client.end();
      return rows;
    },
  };

  it.each(Object.entries(WAYS))('changes nothing for %s', async (_, read) => {
    expect(settingsOf(await read(database.url))).toEqual(SESSION_SETTINGS);
    // Nor does what a URL asks for, but for the schema.
    const url = new URL(inSchemas(database.url, 'elsewhere,public'));
    url.searchParams.set('options', `${url.searchParams.get('options')} -c DateStyle=German -c TimeZone=Asia/Tokyo`);
    expect(settingsOf(await read(url.href))).toEqual({ ...SESSION_SETTINGS, search_path: 'elsewhere,public' });
  });

  it('is never met by a connection that was made in another way', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const makers = files.filter((name) =>
      /\bnew Client\(|\bextends Client\b/.test(readFileSync(join('src', name), 'utf8')),
    );
    expect(makers).toEqual(['database/session-client.ts']);
    const pools = files.filter((name) => /\bnew Pool\(|\bextends Pool\b/.test(readFileSync(join('src', name), 'utf8')));
    expect(pools).toEqual(['database/service-pool.ts']);
  });

  it('that lets nothing be written is refused with the name of the setting', async () => {
    const other = await createEmptyDatabase();
    await setDefaults(other.url, { default_transaction_read_only: 'on' });
    const reason = expect.stringContaining('default_transaction_read_only is on') as string;
    await expect(migrateDatabase({ url: other.url })).rejects.toMatchObject({ message: reason });
    expect(await diagnoseDatabase(other.url)).toMatchObject([{ kind: 'database_unreachable', reason }]);
    await other.drop();
  });

  it('gets its tables where they are looked for', async () => {
    const empty = await createEmptyDatabase();
    await setDefaults(empty.url, OTHERWISE);
    await migrateDatabase({ url: empty.url });
    const pool = new ServicePool(empty.url);
    expect(await findPendingMigrations(pool)).toEqual([]);
    const { rows } = await pool.query(`select to_regclass('elsewhere.delegations') as there`);
    expect(rows).toEqual([{ there: null }]);
    await pool.end();
    await empty.drop();
  });

  it('whose tables are in another schema is refused, and used when the URL names it', async () => {
    const other = await createEmptyDatabase();
    await setDefaults(other.url, {});
    const url = inSchemas(other.url, 'elsewhere');
    await migrateDatabase({ url });
    await expect(migrateDatabase({ url: other.url })).rejects.toThrow('add options=-c%20search_path%3Delsewhere');
    await migrateDatabase({ url });
    expect(await diagnoseDatabase(url)).toEqual([]);
    await other.drop();
  });

  it('gets its tables beside those of another program that keeps its migrations under the same name', async () => {
    const shared = await createEmptyDatabase();
    await setDefaults(shared.url, {});
    await runOnServer(shared.url, 'create table elsewhere.mikro_orm_migrations (name text)');
    await migrateDatabase({ url: shared.url });
    expect(await diagnoseDatabase(shared.url)).toEqual([]);
    await shared.drop();
  });

  it.each(['migrations', 'the service'])(
    'whose schema is named for %s alone is refused: the service would not work with what is migrated',
    async (which) => {
      const other = await createEmptyDatabase();
      await setDefaults(other.url, {});
      const named = inSchemas(other.url, 'elsewhere');
      const urls =
        which === 'the service' ? { url: named, migrationUrl: other.url } : { url: other.url, migrationUrl: named };
      const schema = which === 'migrations' ? 'elsewhere' : 'public';
      await expect(migrateDatabase(urls)).rejects.toThrow(`does not find the tables of the schema ${schema}`);
      // Nor is it let in by the next start, which has nothing to migrate.
      await expect(migrateDatabase(urls)).rejects.toThrow(`does not find the tables of the schema ${schema}`);
      await migrateDatabase({ ...urls, url: urls.migrationUrl });
      await other.drop();
    },
  );

  it.each([
    '-csearch_path=elsewhere',
    '--search-path=elsewhere',
    '--search_path=elsewhere',
    '-c SEARCH_PATH=elsewhere',
  ])('whose schema is named as %s gets its tables there, and its doctor finds nothing', async (options) => {
    const other = await createEmptyDatabase();
    await setDefaults(other.url, {});
    const url = new URL(other.url);
    url.searchParams.set('options', options);
    await migrateDatabase({ url: url.href });
    expect(await tablesIn(other.url, 'elsewhere')).toBe(true);
    expect(await diagnoseDatabase(url.href)).toEqual([]);
    await other.drop();
  });

  it('whose schema PGOPTIONS names gets its tables there, and its doctor finds nothing', async () => {
    const other = await createEmptyDatabase();
    await setDefaults(other.url, {});
    const before = process.env['PGOPTIONS'];
    process.env['PGOPTIONS'] = '-c search_path=elsewhere';
    try {
      await migrateDatabase({ url: other.url });
      expect(await tablesIn(other.url, 'elsewhere')).toBe(true);
      expect(await diagnoseDatabase(other.url)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['PGOPTIONS'];
      else process.env['PGOPTIONS'] = before;
    }
    await other.drop();
  });
});

describe.each(['SQL_ASCII', 'LATIN1'])('a database that keeps texts as %s', (encoding) => {
  it('is refused, and doctor says what to make instead', async () => {
    const other = await createEmptyDatabase(`encoding '${encoding}' locale_provider libc locale 'C'`);
    await expect(migrateDatabase({ url: other.url })).rejects.toThrow(`keeps texts as ${encoding}, and not as UTF8`);
    expect(await tablesIn(other.url, 'public')).toBe(false);
    expect(await diagnoseDatabase(other.url)).toMatchObject([{ kind: 'database_encoding' }]);
    await other.drop();
  });
});

describe('a service on a database with other defaults', () => {
  let world: OrderWorld;
  let url = '';
  beforeAll(async () => {
    const databaseUrl = async (made: string) => {
      await runOnServer((url = made), EVERY_SWITCH);
      await setDefaults(made, { ...OTHERWISE, ...UNASKED });
      return made;
    };
    world = await OrderWorld.open({ block: 200, databaseUrl, env: { RECLAIM_DELAY: '1s' } });
  });
  afterAll(() => world.close());

  it('delegates, charges, proves and takes back, shows when a token ends, and its doctor finds nothing', async () => {
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(false), amount: 1.5, activate_address: true };
    const answer = await world.delegate(caller, body);
    expect(answer.status).toBe(200);
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'reclaimed');
    expect(await world.app.app.get(ReceiptLookup).find(id, { userId: caller.id })).not.toBeNull();
    expect((await world.audit()).findings).toEqual([]);
    const tokens = world.app.app.get(ApiTokenService);
    const { row } = await tokens.create({
      userId: caller.id,
      name: 'ends',
      permissions: ['balance'],
      expiresInDays: 1,
    });
    expect(new Date(row.expiresAt!).getTime()).toBeGreaterThan(Date.now());
    expect(await diagnoseDatabase(url)).toEqual([]);
  });
});

describe('behind PgBouncer, as docs/operations.md has it', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  const ignored = /ignore_startup_parameters = ([\w,]+)/.exec(page)![1]!.split(',');
  let database: TestDatabase;
  let pooler: Pooler;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await Pooler.before(database.url, ignored);
  });
  afterAll(async () => {
    await pooler.close();
    await database.drop();
  });

  it('a connection is refused for what it does not ignore', async () => {
    for (const name of ignored) {
      const strict = await Pooler.before(
        database.url,
        ignored.filter((other) => other !== name),
      );
      const pool = new ServicePool(strict.url);
      await expect(pool.query('select 1')).rejects.toThrow(`unsupported startup parameter: ${name}`);
      await pool.end();
      await strict.close();
    }
  });

  it('doctor names what a session does not have, and nothing once the role has it', async () => {
    await setDefaults(database.url, OTHERWISE);
    const [found, ...others] = await diagnoseDatabase(pooler.url);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'session_settings' });
    expect(found!.reason).toContain(
      'array_nulls = off; default_transaction_isolation = serializable; idle_in_transaction_session_timeout = 0ms; lock_timeout = 0ms; search_path = elsewhere, public; statement_timeout = 0ms,',
    );
    expect(found!.next_step).toContain(
      `array_nulls = 'on'; default_transaction_isolation = 'read committed'; idle_in_transaction_session_timeout = '30000ms'; lock_timeout = '5000ms'; search_path = 'public'; statement_timeout = '15000ms' (`,
    );
    const asked = [...page.matchAll(/^alter role energy_app set (\w+) = (.+);$/gm)];
    expect(new Set(asked.map(([, name]) => name))).toEqual(new Set(ignored));
    await setDefaults(database.url, Object.fromEntries(asked.map(([, name, value]) => [name!, value!])));
    expect(await diagnoseDatabase(pooler.url)).toEqual([]);
  });
});
