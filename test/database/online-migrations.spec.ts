import { Migration } from '@mikro-orm/migrations';
import { Client } from 'pg';
import { MIGRATION_LIMITS } from '../../src/database/connection-limits';
import { migrateDatabase } from '../../src/database/migrate-database';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { OneByOne } from '../../src/database/migrations/one-by-one';
import { liftPromises } from '../support/lifted-promises';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

/** As the next change of a released schema would be: columns, a checked constraint, and indexes of the tables that grow with orders. */
class Change extends Migration {
  override up(): void {
    this.addSql(`alter table delegations add column colour text null;
      alter table chain_transactions add column colour text not null default 'none'`);
  }
}
class Indexes extends OneByOne {
  override async up(): Promise<void> {
    this.addSql('alter table holds drop constraint if exists holds_small');
    this.addSql('alter table holds add constraint holds_small check (amount_sun < 9) not valid');
    this.addSql('alter table holds validate constraint holds_small');
    await this.createIndex('delegations_colour', 'on delegations (colour, id)');
    await this.createIndex('chain_transactions_colour', 'on chain_transactions (colour, id)', 'unique index');
    this.dropIndex('delegations_receiver');
  }
}
const CHANGED = [...MIGRATIONS, { name: '0002-change', class: Change }, { name: '0003-indexes', class: Indexes }];
const ROWS = 20_000;
/** Far more than any table has that does not grow with orders. */
const SMALL = 2_000;
const ORDER = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;

const FILL = [
  `insert into users (id, email, name) values ('00000000-0000-7000-8000-000000000000', 'a@example.com', 'A')`,
  `insert into accounts (user_id) select id from users`,
  `insert into pool_wallets (id, name, address, role, key_source) select id, 'w', 'w', 'delegate', 'env:NONE' from users`,
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state, wallet_id,
     stake_sun, cost_sun, paid_by)
   select ${ORDER}, u.id, 'T' || n, '1', 65000, 10, false, 'key ' || n, 'reclaimed', u.id, 1, 1, 'balance' from users u, generate_series(1, ${ROWS}) n`,
  `insert into holds (delegation_id, user_id, amount_sun, state) select id, user_id, 1, 'taken' from delegations`,
  `insert into ledger_entries (user_id, kind, amount_sun, balance_sun) select user_id, 'credit', 1, 1 from delegations`,
  `insert into delegation_events (delegation_id, kind, detail) select id, 'ordered', '{}' from delegations`,
  `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data,
     expiration_ms, ref_block_number, state)
   select encode(sha256(id::text::bytea), 'hex'), 'delegation', 'order', id, wallet_id, receiver, 1, '', 0, 0, 'final' from delegations`,
];

/**
 * Notes, at the end of each statement that changes a table and at the end of each migration's transaction, which locks it holds that
 * keep writers out, and how many rows the transaction has read and written since it began to change tables.
 */
const WATCH = `
  create schema watch;
  create table watch.noted (at text, table_name text, mode text, rows bigint);
  create function watch.rows_so_far() returns bigint language sql as $$
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)
      from pg_stat_xact_user_tables where schemaname = 'public'
  $$;
  create function watch.begin_statement() returns event_trigger language plpgsql as $$
  begin
    if coalesce(current_setting('watch.rows', true), '') = '' then
      perform set_config('watch.rows', watch.rows_so_far()::text, true);
    end if;
  end $$;
  create function watch.note(at text) returns void language sql as $$
    insert into watch.noted
    select at, l.relation::regclass::text, l.mode, watch.rows_so_far() - current_setting('watch.rows')::bigint
      from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and l.granted and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
       and c.relname <> 'mikro_orm_migrations'
  $$;
  create function watch.end_statement() returns event_trigger language plpgsql as $$ begin perform watch.note(tg_tag); end $$;
  create function watch.migration() returns trigger language plpgsql as $$ begin perform watch.note(new.name); return null; end $$;
  create trigger watch_migration after insert on mikro_orm_migrations for each row execute function watch.migration();
  create event trigger watch_end on ddl_command_end execute function watch.end_statement();
  create event trigger watch_begin on ddl_command_start execute function watch.begin_statement();`;

describe('migrations of a database in use', () => {
  const databases: TestDatabase[] = [];
  const clients: Client[] = [];
  let url: string;
  beforeEach(async () => {
    const database = await createEmptyDatabase();
    databases.push(database);
    ({ url } = database);
    await migrateDatabase({ url });
    const client = await connect();
    await liftPromises((text) => client.query(text));
    for (const statement of FILL) await client.query(statement);
    await client.query('analyze');
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await Promise.all(databases.splice(0).map((database) => database.drop()));
  });

  const connect = async () => {
    const client = new Client(url);
    clients.push(client);
    await client.connect();
    return client;
  };
  const noted = async (client: Client) => {
    const { rows } = await client.query<{ at: string; table_name: string; rows: number }>(
      'select at, table_name, mode, rows::integer from watch.noted',
    );
    return { all: rows, slow: rows.filter((row) => row.rows > SMALL) };
  };

  it('look at no rows while they keep writers out: it takes no longer with ten million orders', async () => {
    const client = await connect();
    await client.query(WATCH);
    await migrateDatabase({ url }, CHANGED);
    const { all, slow } = await noted(client);
    // They do take such locks; that is what is watched.
    expect(all.map(({ table_name: table }) => table)).toEqual(
      expect.arrayContaining(['chain_transactions', 'delegations']),
    );
    expect(slow).toEqual([]);
    expect((await client.query('select name from mikro_orm_migrations')).rowCount).toBe(CHANGED.length);
    expect((await client.query('select 1 from pg_index where not indisvalid')).rowCount).toBe(0);
  });

  it.each([
    ['an index that is not built concurrently', 'create index slow on delegations (cost_sun)'],
    ['a column that needs a rewrite', 'alter table delegations add column slow uuid default gen_random_uuid()'],
    ['a check of all rows', 'alter table holds add constraint slow check (amount_sun < 9)'],
    [
      'rows that are written behind a lock',
      `begin; alter table delegations add column slow text; update delegations set slow = 'x';
       insert into mikro_orm_migrations (name) values ('slow'); commit`,
    ],
  ])('would be caught with %s', async (_, statement) => {
    const client = await connect();
    await client.query(WATCH);
    await client.query(statement);
    expect((await noted(client)).slow).toEqual(
      expect.arrayContaining([expect.objectContaining({ table_name: expect.stringMatching(/^(delegations|holds)$/) })]),
    );
  });

  it('are tried again until the tables that they change are free', async () => {
    const [reader, writer] = [await connect(), await connect()];
    await reader.query('begin; lock table chain_transactions in access share mode');
    let migrated = false;
    const migrating = migrateDatabase({ url }, CHANGED).then(() => (migrated = true));
    const waiting = async () => {
      const text = `select pid, query_start::text as since from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%alter table chain_transactions add column colour%' and datname = current_database()`;
      return (await writer.query<{ since: string }>(text)).rows[0]?.since;
    };
    const first = await until('the first try', waiting);
    expect(MIGRATION_LIMITS.lock_timeout).toBeLessThan(1_000);
    // Behind it: through as soon as it gives way, although the reader goes on.
    await writer.query('begin; lock table chain_transactions in row exclusive mode; commit');
    await until('another try', async () => {
      const since = await waiting();
      return since !== undefined && since !== first;
    });
    expect(migrated).toBe(false);
    await reader.query('commit');
    await migrating;
  });

  it('build an index anew whose building was broken off', async () => {
    const client = await connect();
    await migrateDatabase({ url }, CHANGED);
    await client.query(`update pg_index set indisvalid = false where indexrelid = 'delegations_colour'::regclass`);
    await client.query(`delete from mikro_orm_migrations where name = '0003-indexes'`);
    await migrateDatabase({ url }, CHANGED);
    const { rows } = await client.query(
      `select indisvalid from pg_index where indexrelid = 'delegations_colour'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });
});
