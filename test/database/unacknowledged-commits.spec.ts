import { Client } from 'pg';
import { DatabaseProxy } from '../support/database-proxy';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const TIMES = 50;
const INSERT = { name: 'insert_mark', text: 'insert into marks (mark) values ($1)' };
const LOCK = { name: 'lock_mark', text: 'select mark from marks for no key update' };
const DELETE = { name: 'delete_mark', text: 'delete from marks where mark = $1' };

/** What the bars of docs/safety.md count as a commit without its acknowledgement. */
describe('a commit whose acknowledgement is lost', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let url: string;
  let direct: Client;
  let unacknowledged: (readonly string[])[];
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = new DatabaseProxy(database.url);
    url = await proxy.open();
    direct = new Client(database.url);
    await direct.connect();
    await direct.query('create table marks (mark integer primary key deferrable initially deferred)');
  });
  beforeEach(async () => {
    await direct.query('delete from marks');
    unacknowledged = [];
    proxy.onUnacknowledged = (statements) => unacknowledged.push(statements);
    proxy.endOfCommit = () => 'is not acknowledged';
  });
  afterAll(async () => {
    await direct.end();
    await proxy.close();
    await database.drop();
  });

  async function connected(): Promise<Client> {
    const client = new Client({ connectionString: url, pipeline: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
  const marks = async () =>
    (await direct.query<{ mark: number }>('select mark from marks')).rows.map(({ mark }) => mark);

  it('is done, although its statements are answered one by one before it, all in one write', async () => {
    for (let mark = 1; mark <= TIMES; mark++) {
      const client = await connected();
      await client.query('begin');
      const inserted = [mark, -mark].map((value) => client.query(INSERT, [value]));
      const commit = client.query('commit');
      await expect(Promise.all(inserted)).resolves.toHaveLength(2);
      await expect(commit).rejects.toThrow();
    }
    expect((await marks()).toSorted((one, other) => one - other)).toHaveLength(2 * TIMES);
    expect(unacknowledged).toEqual(Array.from({ length: TIMES }, () => ['insert_mark', 'insert_mark']));
  });

  it('is none when the transaction has failed, locks rows or touches none: that is answered', async () => {
    await direct.query('insert into marks values (1)');
    const client = await connected();
    await client.query('begin');
    await client.query(INSERT, [1]);
    // The constraint is looked at last.
    await expect(client.query('commit')).rejects.toThrow('duplicate key');
    await client.query('begin');
    await client.query(LOCK);
    await client.query('commit');
    await client.query(LOCK);
    await client.query(DELETE, [2]);
    expect(unacknowledged).toEqual([]);

    await expect(client.query(DELETE, [1])).rejects.toThrow();
    expect(unacknowledged).toEqual([['delete_mark']]);
    expect(await marks()).toEqual([]);
  });

  it('that is lost before it arrives changes nothing', async () => {
    proxy.endOfCommit = () => 'is lost';
    const client = await connected();
    await client.query('begin');
    await client.query(INSERT, [1]);
    await expect(client.query('commit')).rejects.toThrow();
    expect([await marks(), unacknowledged]).toEqual([[], []]);
  });
});
