import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../test-database';
import type { DatabaseTime } from './database-time';
import { real } from './real-world';
import { VirtualTime } from './virtual-time';

/** As Jest keeps it for its limits. */
const kept = globalThis.setTimeout;
const SEVERAL_TURNS = 30;

describe('virtual time', () => {
  let time: VirtualTime;
  let database: TestDatabase;
  let clock: DatabaseTime;
  let client: Client;
  let server: Server;
  let url: string;
  /** What the server does before it answers. */
  let work: () => Promise<unknown>;
  beforeAll(async () => {
    database = await createTestDatabase();
    time = VirtualTime.begin();
    clock = await time.join(database.url);
    client = new Client(clock.url);
    await client.connect();
    server = createServer((_request, response) => void work().then((body) => response.end(body)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await client.end();
    server.closeAllConnections();
    server.close();
    await clock.end();
    await database.drop();
  });

  const scalar = async (text: string, values: unknown[] = []): Promise<unknown> =>
    Object.values((await client.query<Record<string, unknown>>(text, values)).rows[0]!)[0];

  it('goes to each timer in turn, by the whole millisecond', async () => {
    const beganMs = Date.now();
    const clockMs = performance.now();
    const fired: [name: string, ms: number][] = [];
    const note = (name: string) => fired.push([name, Date.now() - beganMs]);
    const interval = setInterval(() => note('interval'), 400);
    const cleared = setTimeout(() => note('cleared'), 500);
    setTimeout(() => (note('later'), clearTimeout(cleared)), 450.7);
    setTimeout(note, 450, 'with a value');
    kept(() => note('kept before'), 300);
    AbortSignal.timeout(700).addEventListener('abort', () => note('signal'));
    await sleep(900);
    clearInterval(interval);
    expect(fired).toEqual([
      ['kept before', 300],
      ['interval', 400],
      ['later', 450],
      ['with a value', 450],
      ['signal', 700],
      ['interval', 800],
    ]);
    expect([Date.now() - beganMs, new Date().getTime() - beganMs, performance.now() - clockMs]).toEqual([
      900, 900, 900,
    ]);
    expect([new Date(), new real.Date()].map((date) => date instanceof Date)).toEqual([true, true]);
  });

  it('stands while a request is under way, whatever its answer takes', async () => {
    const beganMs = Date.now();
    const timer = setTimeout(() => undefined, 1);
    const asked = async () => (await (await fetch(url)).text()).length;
    work = async () => {
      for (let turn = 0; turn < SEVERAL_TURNS; turn++) await new Promise(setImmediate);
      return '';
    };
    expect([await asked(), Date.now()]).toEqual([0, beganMs]);
    work = async () => 'x'.repeat(20_000_000);
    expect([await asked(), Date.now()]).toEqual([20_000_000, beganMs]);
    work = async () => void (await client.query('select pg_sleep(0.3)'));
    expect([await asked(), Date.now()]).toEqual([0, beganMs]);
    clearTimeout(timer);
  });

  it('passes while a request is held up for some time', async () => {
    const beganMs = Date.now();
    work = () => sleep(20_000, 'late');
    expect([await (await fetch(url)).text(), Date.now() - beganMs]).toEqual(['late', 20_000]);
    work = () => new Promise(() => undefined);
    await expect(fetch(url, { signal: AbortSignal.timeout(60_000) })).rejects.toThrow('timed out');
    expect(Date.now() - beganMs).toBe(80_000);
  });

  it('stands while statements are under way, also in a loop without a pause', async () => {
    const beganMs = Date.now();
    let fired = 0;
    const timer = setInterval(() => (fired += 1), 1);
    await client.query('select pg_sleep(0.3)');
    for (let statement = 0; statement < SEVERAL_TURNS; statement++) await client.query('select 1');
    expect([fired, Date.now()]).toEqual([0, beganMs]);
    clearInterval(timer);
  });

  it('passes in the end while a statement waits for a lock, whose holder may wait for it to pass', async () => {
    const other = new Client(database.url);
    await other.connect();
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(1)');
    const beganMs = Date.now();
    const committed = sleep(5_000).then(() => other.query('commit'));
    await client.query('select pg_advisory_lock(1), pg_advisory_unlock(1)');
    await committed;
    expect(Date.now() - beganMs).toBe(5_000);
    await other.end();
  });

  it('is the time of the database: of its statements and its defaults', async () => {
    await sleep(12_345);
    const now = new Date();
    expect(await scalar('select array[now(), clock_timestamp(), statement_timestamp()]')).toEqual([now, now, now]);
    await client.query('begin');
    const user = `insert into users (id, name, email) values (gen_random_uuid(), 'a', 'a@b.c') returning created_at`;
    expect(await scalar(user)).toEqual(now);
    await client.query('rollback');
  });

  it.failing(`is the time of Jest's own limits`, () => sleep(10_000), 5_000);

  it('ends: what was waited for is waited for in real time', async () => {
    const left = sleep(30);
    const untilMs = Date.now() + 30;
    await time.end();
    await left;
    expect(Date).toBe(real.Date);
    expect(Date.now()).toBeLessThan(untilMs);
  });
});
