import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { acquireEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres';
import { isServer } from '../../src/database/embedded/pid-file';
import { ensureBuild } from '../support/build';
import { Child } from '../support/child';
import { until } from '../support/until';

const HOLDER = `
  const { acquireEmbeddedPostgres } = require(process.argv[1]);
  acquireEmbeddedPostgres(process.argv[2]).then((server) => {
    process.on('SIGTERM', () => server.release().then(() => process.exit(0)));
    setInterval(() => {}, 1000);
    console.log('url ' + server.url + ' end');
  });`;

function hold(directory: string, env: Record<string, string> = {}): Child {
  const program = join(ensureBuild(), 'src/database/embedded/embedded-postgres.js');
  return new Child(['-e', HOLDER, program, directory], env);
}

async function urlFrom(holder: Child): Promise<string> {
  return (await holder.waitFor(/url (\S+) end/))[1]!;
}

function pidFile(directory: string): string {
  return join(directory, 'postgres/data/postmaster.pid');
}

const pidOf = (directory: string) => Number(readFileSync(pidFile(directory), 'utf8').split('\n')[0]);

async function query(url: string, sql: string): Promise<unknown> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(sql)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  const directories: string[] = [];
  const makeDirectory = (mode = 0o755) => {
    const directory = mkdtempSync(join(tmpdir(), 'energy-delegation-embedded-'));
    chmodSync(directory, mode);
    directories.push(directory);
    return directory;
  };
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  it('keeps one cluster when several processes start for the first time together, and stops with the last of them', async () => {
    const directory = makeDirectory();
    const holders = [hold(directory), hold(directory), hold(directory)];
    const urls = await Promise.all(holders.map(urlFrom));
    expect(new Set(urls).size).toBe(1);
    await query(urls[0]!, 'create table kept (value int)');
    await Promise.all(holders.map((holder) => holder.stop('SIGTERM')));
    expect(existsSync(pidFile(directory))).toBe(false);

    const again = await acquireEmbeddedPostgres(directory);
    expect(await query(again.url, 'select count(*)::int as value from kept')).toBe(0);
    await again.release();
  });

  it('outlives a user that was killed, and the next start uses it', async () => {
    const directory = makeDirectory();
    const killed = hold(directory);
    const url = await urlFrom(killed);
    await killed.stop('SIGKILL');
    expect(await query(url, 'select 1 as value')).toBe(1);

    const next = await acquireEmbeddedPostgres(directory);
    expect(next.url).toBe(url);
    await next.release();
    expect(existsSync(pidFile(directory))).toBe(false);
  });

  it('is found where the environment asks for TLS with other servers', async () => {
    const holder = hold(makeDirectory(), { PGSSLMODE: 'verify-full' });
    expect(await query(await urlFrom(holder), 'select 1 as value')).toBe(1);
    expect((await holder.stop('SIGTERM')).code).toBe(0);
  });

  it('comes back at the same address when the server itself is killed', async () => {
    const directory = makeDirectory();
    const server = await acquireEmbeddedPostgres(directory);
    const { url } = server;
    await query(url, 'create table kept (value int)');
    process.kill(pidOf(directory), 'SIGKILL');
    const answered = await until('it answers again', () =>
      query(url, `select 'kept' as value from pg_tables where tablename = 'kept'`).catch(() => null),
    );
    expect(answered).toBe('kept');
    expect(server.url).toBe(url);
    await server.release();
    expect(existsSync(pidFile(directory))).toBe(false);
  });

  it('is started again for as long as it takes, as when its disk was full', async () => {
    const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const directory = makeDirectory();
    const server = await acquireEmbeddedPostgres(directory);
    const { url } = server;
    const [needed, away] = ['global', 'global.away'].map((name) => join(directory, 'postgres/data', name));
    const port = statSync(join(directory, 'postgres/port'));
    renameSync(needed!, away!);
    process.kill(pidOf(directory), 'SIGKILL');
    const given = () => failed.mock.calls.filter(([text]) => String(text).includes('does not start')).length;
    await until('it could not be started, twice', async () => given() >= 2);
    renameSync(away!, needed!);
    expect(await until('it answers again', () => query(url, 'select 1 as value').catch(() => null))).toBe(1);
    await server.release();
    expect(existsSync(pidFile(directory))).toBe(false);
    // A file that is written on a full disk is empty afterwards, and the service knows one port alone.
    expect(statSync(join(directory, 'postgres/port'))).toMatchObject({ ino: port.ino, mtimeMs: port.mtimeMs });
    failed.mockRestore();
  });

  it('that cannot be started again is given up with the service', async () => {
    const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const directory = makeDirectory();
    const server = await acquireEmbeddedPostgres(directory);
    renameSync(join(directory, 'postgres/data/global'), join(directory, 'postgres/data/global.away'));
    process.kill(pidOf(directory), 'SIGKILL');
    await until('it could not be started', async () => failed.mock.calls.length > 0);
    await server.release();
    failed.mockRestore();
  });

  const endSessions = (url: string) =>
    query(
      url,
      `select pg_terminate_backend(pid) as value from pg_stat_activity where application_name = 'embedded server use'`,
    );

  it.each([
    ['removed', (directory: string) => rmSync(join(directory, 'postgres'), { recursive: true }), null],
    ['moved', (directory: string) => renameSync(join(directory, 'postgres'), join(directory, 'elsewhere')), null],
    [
      'moved, and the service cannot ask it any more',
      (directory: string) => renameSync(join(directory, 'postgres'), join(directory, 'elsewhere')),
      endSessions,
    ],
    [
      'moved with all around it, and the service cannot ask it any more',
      (directory: string) => {
        directories.push(`${directory}-moved`);
        renameSync(directory, `${directory}-moved`);
      },
      endSessions,
    ],
  ])('ends with the service when its folder was %s', async (_, takeAway, andThen) => {
    const directory = makeDirectory();
    const holder = hold(directory);
    const url = await urlFrom(holder);
    const pid = pidOf(directory);
    const data = join(directory, 'postgres/data');
    expect(isServer(pid, data)).toBe(true);
    takeAway(directory);
    if (andThen) {
      await andThen(url);
      await until('it knows that it has lost the server', async () => holder.stderr.includes('It is tried again'));
    }
    await holder.stop('SIGTERM');
    expect(isServer(pid, data)).toBe(false);
  });

  it('clears a pid file whose number now belongs to another program', async () => {
    const directory = makeDirectory();
    await (await acquireEmbeddedPostgres(directory)).release();
    writeFileSync(pidFile(directory), `${process.pid}\n/elsewhere\n1\n5432\n\n127.0.0.1\n1 1\nready   \n`);
    const server = await acquireEmbeddedPostgres(directory);
    expect(await query(server.url, 'select 1 as value')).toBe(1);
    await server.release();
  });

  it('survives users that come and go at the same moment', async () => {
    const directory = makeDirectory();
    const comeAndGo = async () => {
      for (let round = 0; round < 5; round += 1) {
        const server = await acquireEmbeddedPostgres(directory);
        expect(await query(server.url, 'select 1 as value')).toBe(1);
        await server.release();
      }
    };
    await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
    expect(existsSync(pidFile(directory))).toBe(false);
  });

  if (process.getuid?.() === 0) {
    it('serves root from a directory that the database user cannot enter', async () => {
      const directory = makeDirectory(0o700);
      const server = await acquireEmbeddedPostgres(directory);
      expect(await query(server.url, 'select 1 as value')).toBe(1);
      expect(lstatSync(join(directory, 'postgres')).isSymbolicLink()).toBe(true);
      await server.release();
      rmSync(join(server.dataDirectory, '..'), { recursive: true });
    });
  }

  it('keeps its password from other users', async () => {
    const directory = makeDirectory();
    await (await acquireEmbeddedPostgres(directory)).release();
    expect(lstatSync(join(directory, 'postgres/password')).mode & 0o777).toBe(0o600);
  });
});
