import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { ANY_OPEN } from '../../src/chain/transactions/outbox/chain-transaction.statements';
import { CONNECTION_LIMITS } from '../../src/database/connection-limits';
import { clientOf, connectToWritable, DatabaseHosts } from '../../src/database/database-hosts';
import { diagnoseDatabase } from '../../src/database/diagnose-database';
import { diagnoseDurability } from '../../src/database/diagnose-durability';
import { migrateDatabase } from '../../src/database/migrate-database';
import { ServicePool } from '../../src/database/service-pool';
import { Sql } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { type Caller, OrderWorld } from '../support/order-world';
import { ReplicatedDatabase } from '../support/replicated-database';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

const CALLERS = 4;
const PAST_THE_WAIT_MS = 95_000;

describe('a primary that is lost', () => {
  let database: ReplicatedDatabase;
  let world: OrderWorld;
  beforeAll(async () => {
    database = await ReplicatedDatabase.open();
    await migrateDatabase({ url: database.url });
    world = await OrderWorld.open({ block: 250, databaseUrl: async () => database.url, env: { RECLAIM_DELAY: '5s' } });
  });
  afterAll(async () => {
    await world?.close();
    await database?.close();
  });

  it('loses no order that was answered: the standby takes over, and orders go on within half a minute', async () => {
    const answered: string[] = [];
    let isOver = false;
    let successes = 0;
    const callers = await Promise.all(Array.from({ length: CALLERS }, () => world.caller({ balance: 100_000 })));
    const order = async (caller: Caller) => {
      while (!isOver) {
        const body = { receiver_address: await world.receiver(), amount: 1 };
        const answer = await world.delegate(caller, body).catch(() => null);
        if (answer?.status !== 200) continue;
        answered.push(answer.headers.get('x-delegation-id')!);
        successes++;
      }
    };
    const load = Promise.all(callers.map(order));
    await until('orders under load', async () => successes >= 3 * CALLERS);
    database.killPrimary();
    await database.promoteStandby();
    const before = successes;
    await until('orders after the primary', async () => successes >= before + 3 * CALLERS);
    isOver = true;
    await load;
    const rows = await until('the database to answer', () =>
      world.query(`select id from delegations where id = any($1::uuid[]) and answer = 'success'`, [answered]),
    );
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(answered));
    // What was lent before is compared with the chain once what missing rows could have signed has landed or expired.
    await world.untilRow('select 1 from database_identity where compared_block is not null');
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    await until('every order to be over', async () => {
      const open = await world.query(
        `select 1 from delegations where state not in ('reclaimed', 'failed', 'taken_back')`,
      );
      return open.length === 0;
    });
    expect(await world.audit()).toMatchObject({ ok: true });
    // Commits on the one that is left wait for no other.
    expect(await diagnoseDatabase(database.url)).toEqual([]);
  });
});

describe('a primary that is lost with rows that its standby does not have', () => {
  let database: ReplicatedDatabase;
  let world: OrderWorld;
  beforeAll(async () => {
    database = await ReplicatedDatabase.open({ synchronous: false });
    await migrateDatabase({ url: database.url });
    world = await OrderWorld.open({ block: 250, databaseUrl: async () => database.url });
  });
  afterAll(async () => {
    await world?.close();
    await database?.close();
  });

  it('takes no stake back twice, and goes on with orders and reclaims without being asked to', async () => {
    const caller = await world.caller();
    const receiver = await world.receiver();
    const place = async (to: string, amount: number) => {
      const answer = await world.delegate(caller, { receiver_address: to, amount });
      return answer.status === 200 ? answer.headers.get('x-delegation-id')! : null;
    };
    const lend = async (amount: number) => {
      const id = await place(receiver, amount);
      await world.untilState(id!, 'delegated');
      return id!;
    };
    const [first, second] = [await lend(1), await lend(2)];
    const setDue = (id: string) =>
      world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [id]);
    await database.cutStandby();
    await setDue(first);
    await world.untilState(first, 'reclaimed');
    const left = await world.energyOf(receiver);
    database.killPrimary();
    await database.promoteStandby();
    const elsewhere = await world.receiver();
    await until('orders after the primary', () => place(elsewhere, 1).catch(() => null));
    expect((await world.show(first))!.state).toBe('delegated');
    await setDue(first);
    await world.untilRow('select 1 from database_identity where compared_block is not null');
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    const over = await world.untilReclaimed(first);
    expect(over.shortage_sun).toBe(over.stake_sun);
    expect(await world.energyOf(receiver)).toBe(left);
    await setDue(second);
    expect((await world.untilReclaimed(second)).shortage_sun).toBe(0n);
    expect(await world.energyOf(receiver)).toBe(0);
  });
});

describe('a server that takes no writes', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());
  const pid = statement<[], { pid: number }>('test_backend_pid', 'select pg_backend_pid() as pid');
  // As of a server that has not said so before.
  const write = statement('test_write', `do $$ begin raise exception 'no writes here' using errcode = '25006'; end $$`);
  const demote = statement('test_demote', 'set default_transaction_read_only = on');

  it.each([
    ['a statement', (sql: Sql) => sql.execute(write)],
    ['a transaction', (sql: Sql) => sql.transaction((tx) => tx.execute(write))],
    [
      'a transaction that sends it with its commit',
      (sql: Sql) => sql.transaction(async (tx) => tx.defer(tx.execute(write))),
    ],
  ])('is left at once when it refuses %s', async (_, attempt) => {
    const pool = new ServicePool(database.url);
    const sql = new Sql(pool);
    const before = await sql.row(pid);
    await expect(attempt(sql)).rejects.toMatchObject({ code: '25006' });
    expect(await sql.row(pid)).not.toEqual(before);
    await pool.end();
  });

  it('is left by who only reads, too, after the transaction under way', async () => {
    const pool = new ServicePool(database.url);
    const sql = new Sql(pool);
    const before = await sql.row(pid);
    const within = await sql.transaction(async (tx) => {
      await tx.execute(demote);
      return tx.row(pid);
    });
    expect(within).toEqual(before);
    expect(await sql.row(pid)).not.toEqual(before);
    await pool.end();
  });

  it('has no say on whether nothing is open: another may know more', async () => {
    const pool = new ServicePool(database.url);
    const sql = new Sql(pool);
    expect(await sql.row(ANY_OPEN)).toEqual({ any: false });
    await sql.transaction(async (tx) => {
      await tx.execute(statement('test_read_only', 'set transaction read only'));
      expect(await tx.row(ANY_OPEN)).toEqual({ any: true });
    });
    await pool.end();
  });

  it('is passed over for the next host, whatever the order, and never used alone', async () => {
    const open = new URL(database.url);
    const closed = `127.0.0.1:1`;
    const url = database.url.replace(open.host, `${closed},${open.host}`);
    const client = await connectToWritable(url);
    expect(DatabaseHosts.of(url).current).toBe(database.url);
    await client.end();
    const admin = new Client(database.url);
    await admin.connect();
    const name = open.pathname.slice(1);
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await expect(new (clientOf(url))().connect()).rejects.toMatchObject({ code: '25006' });
    expect((await diagnoseDatabase(url)).map(({ kind }) => kind)).toEqual(['database_unreachable']);
    await admin.query(`begin read write; alter database ${name} reset default_transaction_read_only; commit`);
    await admin.end();
  });
});

/** Answers the first message of a connection with `first`, and nothing after it. */
async function silentServer(first = Buffer.alloc(0)) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', () => socket.write(first));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, close };
}

describe('a server that says nothing', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  it('keeps no start and no command from the next host', async () => {
    const silent = await silentServer();
    const { host } = new URL(database.url);
    const url = database.url.replace(host, `${silent.host},${host}`);
    await migrateDatabase({ url });
    expect(silent.sockets).toHaveLength(1);
    expect(DatabaseHosts.of(url).current).toBe(database.url);
    await silent.close();
  });

  it('ends a start, and the doctor, once it has let them in', async () => {
    const limit = jest.replaceProperty(CONNECTION_LIMITS, 'query_timeout', 50);
    const [welcome, ready] = [Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')];
    const silent = await silentServer(Buffer.concat([welcome, ready]));
    const url = database.url.replace(new URL(database.url).host, silent.host);
    await expect(migrateDatabase({ url })).rejects.toThrow('Query read timeout');
    const reason = expect.stringContaining('Query read timeout') as string;
    expect(await diagnoseDatabase(url)).toMatchObject([{ kind: 'database_unreachable', reason }]);
    limit.restore();
    await silent.close();
  });
});

describe('commits that are not synchronous', () => {
  const settings = { fsync: 'on', synchronous_commit: 'on', standbys: '', replicas: 0 };
  const reasons = async (given: Partial<typeof settings>, hosts = 1) => {
    const client = { query: async () => ({ rows: [{ ...settings, ...given }] }) } as unknown as Client;
    return (await diagnoseDurability(client, 'db', hosts)).map(
      ({ kind, reason }) => `${kind}: ${reason.split(':')[0]}`,
    );
  };

  it('are found by the doctor, on one server and on several', async () => {
    const kind = 'commits_not_synchronous';
    expect(await reasons({})).toEqual([]);
    expect(await reasons({ standbys: 'ANY 1 (*)', replicas: 1 }, 2)).toEqual([]);
    expect(await reasons({ synchronous_commit: 'local' })).toEqual([]);
    expect(await reasons({ fsync: 'off', synchronous_commit: 'off' })).toEqual([
      `${kind}: fsync is off`,
      `${kind}: synchronous_commit is off`,
    ]);
    expect(await reasons({ replicas: 1 })).toEqual([`${kind}: commits wait for no standby`]);
    expect(await reasons({}, 2)).toEqual([`${kind}: commits wait for no standby`]);
    expect(await reasons({ standbys: '*', synchronous_commit: 'local', replicas: 1 })).toEqual([
      `${kind}: synchronous_commit is local`,
    ]);
  });
});
