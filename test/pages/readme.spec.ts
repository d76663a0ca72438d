import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { Host } from '../support/host';
import { Mainnet } from '../support/mainnet';
import { type NotRun, Page } from '../support/page';
import { SharedCommandLine } from '../support/shared-command-line';
import { until } from '../support/until';

const PROGRAM = '/opt/energy-delegation';
const CLI = 'npm run --silent cli -- ';

const NOT_RUN: NotRun = [
  [/^npm ci$/, 'downloads all libraries; .ci/run begins with it'],
  [/^npm test$/, 'the run that this test belongs to'],
];

/**
 * Where README leads for more: their commands are typed beside the service that README has started. Those of the command line share one
 * process, for README's own have shown how a shell, npm and a process of its own come to one.
 */
const LED_TO = [
  new Page('docs/api.md', [[/^npm run clients:try$/, 'needs Java, PHP, Go and a download']]),
  new Page('docs/settings.md', []),
  new Page('docs/commands.md', [
    [/^npm start$/, 'runs already, as README has it'],
    [/^npm run test:safety$/, 'takes hours; its shares are specs'],
    [/^npm run bench$/, 'measures for minutes'],
    [/^npm run simulate$/, 'a share of its histories are specs'],
    [/<command>$/, 'the form of all commands'],
  ]),
];

/** Complete commands that find nothing to do here, and what they say. */
const REFUSED: Readonly<Record<string, string>> = {
  'witnesses:accept DIGEST': 'the nodes name no other set of witnesses',
  'chain:accept-branch BLOCK_ID': 'undoes no final block',
  'chain:accept-block HEIGHT': 'can be proved',
  'user:approve E': 'no sign-up of demo@example.com is waiting',
  'user:refuse E --note T': 'no sign-up of demo@example.com is waiting',
  'user:change-email E --to F': 'moved@example.com',
};

describe('a reader of README and of the pages that list routes, settings and commands', () => {
  const page = new Page('README.md', NOT_RUN);
  const [tryIt, beside, production] = page.scripts as [string[], string[], string[]];
  const host = new Host();
  const inProgram = (name: string) => join(host.program, name);
  afterAll(() => host.close());

  /** Typed in the clone, in a shell without settings. */
  const type = async (line: string) => ran(line, await host.shell(page.runnable(line), PROGRAM));

  const ran = <Result extends object>(line: string, result: Result, of = page): Result => {
    const says = REFUSED[line];
    const expected = says === undefined ? { code: 0 } : { code: 1, stderr: expect.stringContaining(says) as string };
    expect({ line, ...result }).toMatchObject(expected);
    of.sayRan(line);
    return result;
  };

  it('tries it: the printed line, all commands beside the service, and again once it has stopped', async () => {
    const port = await freePort();
    host.write(`${PROGRAM}/.env`, `PORT=${port}\nLOCAL_CHAIN_BLOCK=500ms\nRATE_LIMIT_PER_MINUTE=1000000\n`);
    const service = host.startShell(`exec ${page.runnable(tryIt[0]!)}`, PROGRAM);
    let cli: SharedCommandLine | undefined;
    try {
      const [printed] = await service.waitFor(/^curl .*$/m);
      page.sayRan(tryIt[0]!);
      expect((await host.shell(printed)).stdout).toContain('"success":true');
      for (const line of beside) await type(line);
      host.write(`${PROGRAM}/RECEIPT`, await finalReceipt(`http://127.0.0.1:${port}`));
      for (const command of page.left) ran(command, await host.shell(fillPlaceholders(command), PROGRAM));
      cli = SharedCommandLine.inClone(host.program, {});
      for (const of of LED_TO) for (const command of of.left) ran(command, await typeShared(cli, command), of);
    } finally {
      await cli?.close();
      await service.interrupt();
    }
    expect((await type(beside[0]!)).stdout).toContain('demo@example.com');
  });

  async function typeShared(cli: SharedCommandLine, command: string): Promise<{ code: number | null }> {
    const line = fillPlaceholders(command);
    if (!line.startsWith(CLI)) return host.shell(line, PROGRAM);
    const { exitCode: code, ...said } = await cli.type(line.slice(CLI.length));
    return { code, ...said };
  }

  /** The order of `npm run demonstrate`. */
  async function finalReceipt(url: string): Promise<string> {
    const { token } = JSON.parse(readFileSync(inProgram('.data/demo.json'), 'utf8')) as { token: string };
    const get = (path: string) =>
      fetch(`${url}/api/chain/delegations${path}`, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await (await get('')).json()) as { data: { id: string }[] };
    return until('a receipt', async () => {
      const answer = await get(`/${data[0]!.id}/receipt`);
      return answer.ok && answer.text();
    });
  }

  it('sets it up for a network, in one shell', async () => {
    for (const left of ['.env', '.data', 'FILE', 'RECEIPT']) rmSync(inProgram(left), { recursive: true, force: true });
    const mainnet = await Mainnet.open();
    const script = mainnet.fill(['export PORT=0', ...production.map((line) => page.runnable(line))].join('\n'));
    expect(script).not.toContain('…');
    const service = host.startShell(script, PROGRAM);
    try {
      await service.waitFor(/API +http:\/\/\S+/);
      for (const line of production) page.sayRan(line);
      expect(service.stdout).toContain('ok: settings, database, nodes and keys');
      const client = new Client(mainnet.databaseUrl);
      await client.connect();
      const { rows } = await client.query('select amount_sun::text as credited from ledger_entries');
      expect(rows).toEqual([{ credited: '100000000' }]);
      await client.end();
    } finally {
      await service.interrupt();
      await mainnet.close();
    }
  });

  it.each(['balance:credit --user a@example.com --amount 100 --note again', 'doctor'])(
    'is refused in another shell, which has none of these settings: %s',
    async (command) => {
      const { code, stdout, stderr } = await host.shell(`npm run --silent cli -- ${command}`, PROGRAM);
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toContain(
        `no service has made an embedded database in ${inProgram('.data')} (DATA_DIR)`,
      );
      expect(existsSync(inProgram('.data'))).toBe(false);
    },
  );

  it('names files from the folder in which the name is typed', async () => {
    const verify = 'npm run --silent cli -- receipt:verify none.json --witnesses ../witnesses.json';
    const { code, stderr } = await host.shell(verify, `${PROGRAM}/docs/images`);
    expect(code).toBe(1);
    expect(stderr).toContain(`${inProgram('docs/witnesses.json')} cannot be read`);
  });

  it('meets no command that is neither run here nor has a reason why it cannot be', () => {
    for (const of of [page, ...LED_TO]) of.expectAllRun();
  });
});

function fillPlaceholders(command: string): string {
  if (command.startsWith('npm ')) return command;
  const emails = { 'user:create': 'olga@example.com', 'user:change-email': 'moved@example.com' };
  const email = (emails as Record<string, string>)[command.split(' ')[0]!] ?? 'demo@example.com';
  const words: Readonly<Record<string, string>> = {
    HEIGHT: '1',
    E: email,
    F: 'new@example.com',
    N: 'Olga',
    'https://…': 'https://shop.example/',
  };
  return `${CLI}${command
    .split(' ')
    .map((word) => words[word] ?? word)
    .join(' ')}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
