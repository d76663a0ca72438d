import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

const USER = '00000000-0000-7000-8000-000000000001';
const NEWCOMER = '00000000-0000-7000-8000-000000000002';
const NEW_USER = `insert into users (id, email, name) values ('${NEWCOMER}', 'b@example.com', 'B')`;
const DOES_NOT_ADD_UP = /is not (the one before it and its amount|that of its last ledger entry)/;

describe('the database, whichever program writes to it', () => {
  let database: TestDatabase;
  const clients: Client[] = [];
  let client: Client;
  const connect = async () => {
    const made = new Client(database.url);
    clients.push(made);
    await made.connect();
    return made;
  };
  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connect();
    await client.query(`insert into users (id, email, name) values ('${USER}', 'a@example.com', 'A')`);
    await client.query(`insert into accounts (user_id) values ('${USER}')`);
    await client.query(`begin; ${change(100)}; ${entry('credit', 100, 100)}; commit`);
  });
  afterEach(async () => {
    for (const each of clients) await each.query('rollback');
    expect((await client.query('select user_id, balance_sun from accounts')).rows).toEqual([
      { user_id: USER, balance_sun: String(await lastBalance()) },
    ]);
  });
  afterAll(async () => {
    await Promise.all(clients.map((each) => each.end()));
    await database.drop();
  });

  const change = (by: number) => `update accounts set balance_sun = balance_sun + ${by} where user_id = '${USER}'`;
  const entry = (kind: string, sun: number, balance: number, more: Record<string, string> = {}) => {
    const columns = ['user_id', 'kind', 'amount_sun', 'balance_sun', ...Object.keys(more)];
    const values = [`'${USER}'`, `'${kind}'`, sun, balance, ...Object.values(more)];
    return `insert into ledger_entries (${columns.join(', ')}) values (${values.join(', ')})`;
  };
  const lastBalance = async () => {
    const { rows } = await client.query<{ balance: number }>(
      'select balance_sun::integer as balance from ledger_entries order by id desc limit 1',
    );
    return rows[0]!.balance;
  };
  const inOne = (...statements: string[]) => client.query(['begin', ...statements, 'commit'].join('; '));

  it('takes movements of one transaction that add up, in whatever order they are written', async () => {
    const before = await lastBalance();
    await inOne(
      entry('credit', 5, before + 5),
      entry('debit', -2, before + 3),
      change(5),
      entry('debit', -1, before + 2),
      change(-3),
    );
    expect(await lastBalance()).toBe(before + 2);
  });

  it.each([
    ['an entry without its change of the balance', [entry('credit', 1, 101)]],
    ['a change of the balance without its entry', [change(1)]],
    ['an entry for another amount than the change', [change(2), entry('credit', 1, 101)]],
    ['an entry whose balance is not the one before it and its amount', [change(2), entry('credit', 1, 102)]],
    [
      'two entries of which only the last is the account’s',
      [change(2), entry('credit', 1, 102), entry('credit', 1, 102)],
    ],
    [
      'an account that begins with money',
      [NEW_USER, `insert into accounts (user_id, balance_sun) values ('${NEWCOMER}', 1)`],
    ],
  ])('refuses %s, at commit', async (_, statements) => {
    expect(await lastBalance()).toBe(102);
    const moved = statements.map((text) =>
      text.replace(/\b10(\d)\b/g, (_digits, last: string) => String(102 + Number(last))),
    );
    await client.query('begin');
    for (const text of moved) await client.query(text);
    await expect(client.query('commit')).rejects.toThrow(DOES_NOT_ADD_UP);
  });

  it.each([
    ['credit', -1],
    ['debit', 1],
    ['charge', 1],
    ['gift', 1],
  ])('refuses a %s of %d sun', async (kind, sun) => {
    const written = inOne(change(sun), entry(kind, sun, 102 + sun));
    await expect(written).rejects.toThrow(/ledger_entries_(sign|kind_check)/);
  });

  it.each([
    ['id', '1000000'],
    ['id', '-1'],
    ['at', `now() - interval '1 second'`],
    ['at', `clock_timestamp() + interval '1 minute'`],
  ])('refuses an entry whose %s is given: %s', async (column, value) => {
    const written = inOne(change(1), entry('credit', 1, 103, { [column]: value }));
    await expect(written).rejects.toThrow('of a ledger entry comes by default only');
  });

  it('gives an entry the time at which it is written, not that at which its transaction began', async () => {
    await client.query('begin');
    await client.query(change(1));
    await until('the clock goes on', async () => {
      const { rows } = await client.query(`select clock_timestamp() > now() + interval '2 milliseconds' as later`);
      return rows[0].later as boolean;
    });
    const { rows } = await client.query(`${entry('credit', 1, 103)} returning at > now() as later`);
    expect(rows).toEqual([{ later: true }]);
  });

  it('refuses one of two transactions that both go on from the same entry', async () => {
    const other = await connect();
    for (const each of [client, other]) await each.query('begin');
    await client.query(entry('credit', 1, 103));
    await other.query(entry('credit', 1, 103));
    await client.query(change(1));
    const changed = other.query(change(1));
    await client.query('commit');
    await changed;
    await expect(other.query('commit')).rejects.toThrow(DOES_NOT_ADD_UP);
    expect(await lastBalance()).toBe(103);
  });

  it('refuses an entry that comes between two others', async () => {
    const other = await connect();
    await other.query(`select nextval('ledger_entries_id_seq')`);
    await inOne(change(1), entry('credit', 1, 104));
    const between = entry('credit', 1, 104, { id: `currval('ledger_entries_id_seq')` });
    await expect(other.query(between)).rejects.toThrow(DOES_NOT_ADD_UP);
    expect(await lastBalance()).toBe(104);
  });

  it.each(['accounts', 'holds', 'delegations', 'chain_transactions', 'subscriptions'])(
    'lets no statement delete rows of %s',
    async (table) => {
      for (const text of [`delete from ${table}`, `truncate ${table} cascade`])
        await expect(client.query(text)).rejects.toThrow(/rows of \w+ are never deleted|append-only/);
    },
  );
});
