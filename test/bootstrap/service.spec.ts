import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { place, type PrintedOrder, ServiceProcess } from '../support/service-process';
import type { SharedCommandLine } from '../support/shared-command-line';
import { createTestDatabase } from '../support/test-database';
import { until } from '../support/until';

describe('npm start', () => {
  const directories: string[] = [];
  const running: ServiceProcess[] = [];
  const makeDirectory = () => {
    const directory = mkdtempSync(join(tmpdir(), 'energy-delegation-service-'));
    chmodSync(directory, 0o755);
    directories.push(directory);
    return directory;
  };
  const start = (settings: Record<string, string>) => {
    const service = new ServiceProcess({ LOCAL_CHAIN_BLOCK: '500ms', ...settings });
    running.push(service);
    return service;
  };

  afterAll(async () => {
    await Promise.all(running.map((service) => service.stop('SIGTERM')));
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  describe('on one data directory', () => {
    let dataDir: string;
    let service: ServiceProcess;
    let printed: PrintedOrder;
    let cli: SharedCommandLine;
    afterAll(() => cli?.close());
    // Long enough that an order is seen while it waits for its block.
    const startIn = (directory: string) => start({ DATA_DIR: directory, LOCAL_CHAIN_BLOCK: '1s' });
    const succeeds = async (order: PrintedOrder) => {
      expect(await place(order)).toMatchObject({ status: 200, body: { success: true } });
    };
    beforeAll(() => {
      dataDir = join(makeDirectory(), 'data');
    });

    it('delegates with the printed line, and after kill -9 the same token orders on the same data', async () => {
      const first = startIn(dataDir);
      const before = await first.printedOrder();
      await succeeds(before);
      await first.stop('SIGKILL');

      service = startIn(dataDir);
      printed = await service.printedOrder();
      expect(printed.token).toBe(before.token);
      expect(printed.body).not.toBe(before.body);
      await succeeds(printed);

      cli = service.commandLine();
      const orders = await cli.json<{ answer: string }[]>('delegation:list', '--user', 'demo@example.com');
      expect(orders.map(({ answer }) => answer)).toEqual(['success', 'success']);
      expect(await cli.json<unknown[]>('user:list')).toHaveLength(1);
    });

    it('brings the local chain back at the same address when it dies', async () => {
      const endpoint = () =>
        JSON.parse(readFileSync(join(dataDir, 'local-chain/endpoint.json'), 'utf8')) as {
          url: string;
          chainPid: number;
        };
      const { url, chainPid } = endpoint();
      process.kill(chainPid, 'SIGKILL');
      await until('another chain runs', async () => endpoint().chainPid !== chainPid);
      expect(endpoint().url).toBe(url);
      expect(await until('an order goes through', async () => (await place(printed)).status === 200)).toBe(true);
    });

    it('takes orders again after its database was killed', async () => {
      const pidFile = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8');
      process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
      // An order that was written, and whose answer could not be, has its connection closed.
      await until('an order goes through', async () => (await place(printed).catch(() => null))?.status === 200);
      expect(await cli.json('audit')).toMatchObject({ ok: true });
    });

    it('serves two instances, of which either may stop: the local chain stays, at its address', async () => {
      const joined = startIn(dataDir);
      const printedByJoined = await joined.printedOrder();
      expect(printedByJoined.token).toBe(printed.token);
      await succeeds(printedByJoined);
      expect((await joined.stop('SIGTERM')).code).toBe(0);
      await succeeds(printed);

      const left = startIn(dataDir);
      printed = await left.printedOrder();
      expect((await service.stop('SIGTERM')).code).toBe(0);
      service = left;
      await until('an order by the instance that is left', async () => (await place(printed)).status === 200);
    });

    it('answers the order in flight at Ctrl-C, then ends and leaves nothing running', async () => {
      const list = async () => (await cli.json<unknown[]>('delegation:list')).length;
      const before = await list();
      const answer = place(printed);
      await until('the order is written', async () => (await list()) > before);
      const ended = service.interrupt();
      expect(await answer).toMatchObject({ status: 200, body: { success: true } });
      expect((await ended).code).toBe(0);
      expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
      expect(existsSync(join(dataDir, 'local-chain/endpoint.json'))).toBe(false);
    });

    it('goes on with its data where they were moved, its keys included', async () => {
      // As a service left it that had not kept its files to itself yet.
      for (const name of ['local-chain', 'local-chain/chain.sqlite', 'local-chain.log', 'postgres.log'])
        chmodSync(join(dataDir, name), 0o755);
      const moved = join(makeDirectory(), 'data');
      renameSync(dataDir, moved);
      service = startIn(moved);
      // It may be a copy beside one that runs: nothing is signed before an operator says that it is not.
      const order = await service.printedOrder();
      expect(await place(order)).toMatchObject({ status: 501 });
      await cli.close();
      cli = service.commandLine();
      await cli.json('restore:confirm');
      await succeeds(order);
      expect(existsSync(dataDir)).toBe(false);
      expect(await cli.json('doctor')).toMatchObject({ ok: true });
      expect(readableByOthers(moved)).toEqual([]);
    });
  });

  it('says everything that is wrong with the settings and starts nothing', async () => {
    const dataDir = join(makeDirectory(), 'data');
    const { code, stderr } = await start({ DATA_DIR: dataDir, BILLING_VARIANT: 'C', PORT: 'x' }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The settings are wrong:\n {2}- PORT .*\n {2}- BILLING_VARIANT .*\nSettings are read from .*\n$/,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it('names the database it cannot reach, without its password', async () => {
    const { code, stderr } = await start({
      DATABASE_URL: 'postgresql://service:hidden@127.0.0.1:1/orders',
      TRON_FULL_NODE_URLS: 'http://127.0.0.1:1',
    }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('PostgreSQL at 127.0.0.1:1/orders cannot be used (connect ECONNREFUSED');
    expect(stderr).not.toContain('hidden');
  });

  it('has no demonstration user in production', async () => {
    const database = await createTestDatabase();
    const settings = {
      DATA_DIR: makeDirectory(),
      NODE_ENV: 'production',
      LOCAL_CHAIN: 'on',
      DATABASE_URL: database.url,
    };
    const service = start(settings);
    await service.waitFor(/Chain +local chain/);
    const cli = service.commandLine();
    expect(await cli.json('user:list')).toEqual([]);
    await cli.close();
    expect(service.stdout).not.toContain('curl');
    await service.stop('SIGTERM');
    await database.drop();
  });
});

/** The files in a data directory, itself included, but for the database's own files, which PostgreSQL keeps. */
function readableByOthers(dataDir: string): string[] {
  const cluster = join(dataDir, 'postgres', 'data');
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(dataDir, name));
  expect(names.some((name) => name.endsWith('chain.sqlite-wal'))).toBe(true);
  // The server of root passes through directories as another user: that is not reading them.
  return [dataDir, ...names].filter((name) => !name.startsWith(cluster) && (lstatSync(name).mode & 0o066) !== 0);
}
