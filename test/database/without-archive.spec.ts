import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { migrateDatabase } from '../../src/database/migrate-database';
import { ormOptions } from '../../src/database/mikro-orm.config';
import { breaksTheLedger } from '../support/ledger-consistency';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

// Orders of an account that was never credited.
breaksTheLedger();

const BEFORE = '0053-pending-comparisons';
/** More than two batches. */
const ORDERS = 1_100;
const ARCHIVED = 1_050;
const ORDER = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const KEY = `sha256(convert_to('00000000-0000-7000-8000-000000000000 key 7', 'UTF8'))`;
const TABLES = ['delegations', 'holds', 'chain_transactions', 'delegation_events'] as const;

const FILL = [
  `insert into users (id, email, name) values ('00000000-0000-7000-8000-000000000000', 'a@example.com', 'A')`,
  `insert into accounts (user_id) select id from users`,
  `insert into pool_wallets (id, name, address, role, key_source) select id, 'w', 'w', 'delegate', 'env:NONE' from users`,
  `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state, wallet_id,
     stake_sun, cost_sun, paid_by, last_error, created_at)
   select ${ORDER}, u.id, 'T' || n, '1.5', 65000, 10, false, 'key ' || n, 'reclaimed', u.id, n, 1, 'balance', 'error ' || n,
     now() - n * interval '1 hour' from users u, generate_series(1, ${ORDERS}) n`,
  `insert into holds (delegation_id, user_id, amount_sun, state, max_cost_sun) select id, user_id, 1, 'taken', stake_sun from delegations`,
  `insert into delegation_events (delegation_id, kind, detail) select id, 'ordered', jsonb_build_object('n', stake_sun) from delegations`,
  `insert into chain_transactions (tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data_bytes, tail_bytes,
     branch_bytes, expiration_ms, ref_block_number, state)
   select encode(sha256(id::text::bytea), 'hex'), 'delegation', id, wallet_id, receiver, 1, sha256('raw'), sha256('tail'),
     sha256('branch'), 0, 0, 'final' from delegations`,
];

/** As the archiver of before did, with the columns of both in their own order. */
async function archive(client: Client, count: number): Promise<void> {
  await client.query('begin');
  for (const table of TABLES.toReversed()) {
    const key = table === 'delegations' ? 'id' : 'delegation_id';
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(column_name, ', ') as columns from information_schema.columns where table_name = $1`,
      [table],
    );
    const [{ columns }] = rows as [{ columns: string }];
    await client.query(
      `with gone as (delete from ${table} where ${key} in (select ${ORDER} from generate_series(1, ${count}) n) returning ${columns})
       insert into archived_${table} (${columns}) select ${columns} from gone`,
    );
  }
  await client.query('commit');
}

const rowsOf = async (client: Client, table: string) =>
  (await client.query(`select to_jsonb(r) as row from ${table} r order by to_jsonb(r)::text`)).rows;
const allRows = async (client: Client, prefix = '') => {
  const rows: Record<string, unknown[]> = {};
  for (const table of TABLES) rows[table] = await rowsOf(client, `${prefix}${table}`);
  return rows;
};
const archivedRelations = `select relname from pg_class where relname ~ '^(archived_|all_)' and relnamespace = 'public'::regnamespace`;

describe('the migration that removes the archive', () => {
  const databases: TestDatabase[] = [];
  const clients: Client[] = [];
  let url: string;
  let client: Client;
  let rows: Record<string, unknown[]>;
  beforeEach(async () => {
    const database = await createEmptyDatabase();
    databases.push(database);
    ({ url } = database);
    const orm = await MikroORM.init(ormOptions(url));
    await orm.migrator.up({ to: BEFORE });
    await orm.close();
    client = await connect();
    for (const statement of FILL) await client.query(statement);
    rows = await allRows(client);
    await archive(client, ARCHIVED);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((each) => each.end()));
    await Promise.all(databases.splice(0).map((database) => database.drop()));
  });
  const connect = async () => {
    const made = new Client(url);
    clients.push(made);
    await made.connect();
    return made;
  };
  const expectAllBack = async () => {
    // Later migrations add columns.
    expect(await allRows(client)).toMatchObject(rows);
    expect((await client.query(archivedRelations)).rows).toEqual([]);
    expect((await client.query('select 1 from order_keys')).rowCount).toBe(ORDERS);
  };

  it('has every row of the archive in its table again, as it was', async () => {
    expect((await rowsOf(client, 'delegations')).length).toBe(ORDERS - ARCHIVED);
    await migrateDatabase({ url });
    await expectAllBack();
    for (const sql of ['update delegation_events set kind = kind', 'delete from delegation_events'])
      await expect(client.query(sql)).rejects.toThrow('delegation_events is append-only');
  });

  it('goes on where it was broken off, in the middle of a table and before it was noted', async () => {
    // The row of a batch that is refused until the test lets it in.
    await client.query(`
      create function refuse_late() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$;
      create trigger broken_off before insert on chain_transactions for each row
        when (new.amount_sun = 1 and new.receiver = 'T800') execute function refuse_late()`);
    await expect(migrateDatabase({ url })).rejects.toThrow('broken off');
    const left = (await rowsOf(client, 'archived_chain_transactions')).length;
    expect([left > 0, left < ARCHIVED]).toEqual([true, true]);
    await client.query('drop trigger broken_off on chain_transactions');
    await migrateDatabase({ url });
    await expectAllBack();
    await client.query(`delete from mikro_orm_migrations where name = '0058-without-archive'`);
    await migrateDatabase({ url });
    await expectAllBack();
  });

  it('hides no row from an instance that runs meanwhile, and lets none be archived again', async () => {
    // Holds the migration between two batches of events: all else is moved, and half of these.
    const blocker = await connect();
    await blocker.query('begin');
    await blocker.query(
      `select from archived_delegation_events where delegation_id = '00000000-0000-7000-8000-000000000800' for update`,
    );
    const migrated = migrateDatabase({ url });
    await until('the migration waits for the locked row', async () => {
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await client.query(waiting)).rowCount === 1;
    });
    expect(await allRows(client, 'all_')).toEqual(rows);
    await expect(archive(client, 10)).rejects.toThrow('archived_delegation_events is append-only');
    await client.query('rollback');
    await blocker.query('commit');
    await migrated;
    await expectAllBack();
  });

  it('keeps a used key used while rows move back, and after', async () => {
    const again = `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state,
        wallet_id, stake_sun, cost_sun, paid_by)
      select gen_random_uuid(), id, 'T', '1', 65000, 10, false, 'key 7', 'failed', id, 1, 1, 'balance' from users`;
    await client.query(`
      create table tried (refused boolean);
      create function try_again() returns trigger language plpgsql as $$
      begin
        begin
          ${again};
          insert into tried values (false);
        exception when unique_violation then insert into tried values (true);
        end;
        return null;
      end $$;
      create trigger try_again after insert on holds for each row when (new.max_cost_sun = 900) execute function try_again()`);
    await migrateDatabase({ url });
    expect((await client.query('select refused from tried')).rows).toEqual([{ refused: true }]);
    await expect(client.query(again)).rejects.toThrow('order_keys_pkey');
    expect((await client.query(`select 1 from order_keys where key = ${KEY}`)).rowCount).toBe(1);
    for (const sql of ['update order_keys set key = key', 'delete from order_keys', 'truncate order_keys'])
      await expect(client.query(sql)).rejects.toThrow('order_keys is append-only');
  });
});
