import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { CommandLine } from '../../support/command-line';
import { PanelClient } from '../../support/panel-client';
import { ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const PASSWORD = 'four words are enough';
const LINK = /^(http:\/\/\S+)(\/panel\/invitation\?key=[\w-]{43})$/m;

describe('the first operator', () => {
  let database: TestDatabase;
  let directory: string;
  let settings: Record<string, string>;
  let service: ServiceProcess | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    settings = { DATABASE_URL: database.url, TRON_FULL_NODE_URLS: 'http://127.0.0.1:1', LOG_LEVEL: 'silent' };
    directory = mkdtempSync(join(tmpdir(), 'first-operator-'));
  });
  afterEach(async () => {
    await service?.stop('SIGTERM');
    service = undefined;
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  async function start(): Promise<string> {
    service = new ServiceProcess(settings);
    return (await service.waitFor(/^ {2}Panel +(\S+)\/panel$/m))[1]!;
  }

  it('comes by the link that the start prints on the local chain, as long as there is none', async () => {
    settings = { DATABASE_URL: database.url, LOCAL_CHAIN: 'on', DATA_DIR: directory, LOG_LEVEL: 'silent' };
    await start();
    const [, url, path] = await service!.waitFor(LINK);
    const client = new PanelClient(url!);
    const fields = { name: 'Olga', email: 'olga@example.com', password: PASSWORD, again: PASSWORD };
    expect((await client.submit(path!, path!, fields)).status).toBe(303);
    expect((await client.get('/panel/operator')).status).toBe(200);
    await service!.stop('SIGTERM');
    const again = await start();
    expect(service!.stdout).not.toMatch(LINK);
    const signedIn = new PanelClient(again);
    expect((await signedIn.signIn('olga@example.com', PASSWORD)).location).toBe('/panel');
  });

  it('finds no link in what a collector of logs keeps, but the way to one', async () => {
    await start();
    await service!.waitFor(
      /The service has no operator yet[^]*user:create --email E --name N --operator[^]*user:invite E$/m,
    );
    expect(service!.stdout).not.toContain('/panel/invitation');
    const client = new Client(database.url);
    await client.connect();
    expect((await client.query('select 1 from invitations')).rowCount).toBe(0);
    await client.end();
  });

  it('comes from the command line: user:create --operator, then user:invite', async () => {
    const url = await start();
    const cli = CommandLine.on(database.url, { PUBLIC_URL: 'https://energy.example' });
    await cli.json('user:create', '--email', 'max@example.com', '--name', 'Max', '--operator');
    const invited = await cli.json<{ url: string; expires_at: string }>('user:invite', 'max@example.com');
    expect(Object.keys(invited)).toEqual(['url', 'expires_at']);
    const days = (Date.parse(invited.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(3);
    expect(invited.url).toMatch(/^https:\/\/energy\.example\/panel\/invitation\?key=[\w-]{43}$/);
    const { pathname, search } = new URL(invited.url);
    const path = pathname + search;
    const client = new PanelClient(url);
    expect((await client.submit(path, path, { password: PASSWORD, again: PASSWORD })).status).toBe(303);
    expect((await client.get('/panel/operator')).status).toBe(200);
    expect((await cli.run('user:invite', 'nobody@example.com')).exitCode).toBe(1);
    expect((await cli.run('user:invite')).exitCode).toBe(2);
  });
});
