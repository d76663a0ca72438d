import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from '../support/build';
import { Child } from '../support/child';
import { type Account, idOf, otherAccount, readUnit } from '../support/host';
import { type NotRun, Page } from '../support/page';
import { runProgram } from '../support/program';
import { delegation } from '../signer/raw-data';
import { call, makeWallet, type Result, TestSigner } from '../signer/signer.fixture';

const ROOT = join(__dirname, '..', '..');
const UNIT = '/etc/systemd/system/energy-signer.service';
const CONFIG = '/etc/energy-signer/config.json';
const STATE = '/var/lib/energy-signer';
const SOCKET = '/run/energy-signer/socket';
const NOT_RUN: NotRun = [
  [/^useradd /, 'changes the accounts of the machine; the test has another one in its place'],
  [/^systemctl /, 'needs systemd; the test starts what the unit says'],
  [/^npm pack /, 'test/signer/package.spec.ts packs it'],
  [/^npm ci /, 'downloads libraries; test/signer/package.spec.ts has the signer without them'],
];

describe('a reader of signer/README.md', () => {
  const page = new Page('signer/README.md', NOT_RUN);
  const own: Account = { user: idOf('-un'), group: idOf('-gn') };
  // Started by root, the signer runs as another account, as on a host.
  const account = idOf('-u') === '0' ? (otherAccount() ?? own) : own;
  const files = new TestSigner();
  const wallet = makeWallet();
  const folder = mkdtempSync(join(tmpdir(), 'host-'));
  beforeAll(() => {
    chmodSync(folder, 0o755);
    for (const place of ['/etc/systemd/system', '/run', '/var/lib'])
      mkdirSync(join(folder, place), { recursive: true });
  });
  afterAll(async () => {
    await files.remove();
    rmSync(folder, { recursive: true });
  });

  const place = (text: string) =>
    text
      .replaceAll(/(?<![\w/.-])\/(?:etc|run|var\/lib)(?=\/|$)/gm, (path) => join(folder, path))
      .replaceAll('/opt/energy-delegation', ROOT)
      .replaceAll('dist/signer', join(ensureBuild(), 'signer'))
      .replaceAll('-o root', `-o ${own.user}`)
      .replaceAll('-g energy-signer', `-g ${account.group}`)
      .replaceAll('chown -h energy-delegation', `chown -h ${own.user}`);
  async function type(lines: readonly string[], cwd: string): Promise<void> {
    const script = place(lines.map((line) => page.runnable(line)).join('\n'));
    expect(await runProgram(['sh', '-ec', script], { cwd })).toMatchObject({ code: 0, stderr: '' });
    for (const line of lines) page.sayRan(line);
  }
  async function startUnit(): Promise<Child> {
    const unit = readUnit(place(UNIT));
    const only = (key: string) => unit.get(key)!.at(-1)!;
    expect([only('User'), only('Group')]).toEqual(['energy-signer', 'energy-signer']);
    for (const [name, mode] of [
      [STATE, only('StateDirectoryMode')],
      ['/run/energy-signer', only('RuntimeDirectoryMode')],
    ] as const) {
      mkdirSync(place(name), { recursive: true });
      chmodSync(place(name), Number.parseInt(mode, 8));
      if (account.uid !== undefined) chownSync(place(name), account.uid, account.gid!);
    }
    const [program = '', ...args] = place(only('ExecStart')).split(' ');
    const { uid, gid } = account;
    const signer = new Child(args, {}, ROOT, { program, uid, gid });
    const [, script = ''] = /^\+\/bin\/sh -c '(.*)'$/.exec(only('ExecStartPost'))!;
    await signer.waitFor(/^listening on /m);
    expect(await runProgram(['/bin/sh', '-c', place(script)])).toMatchObject({ code: 0, stderr: '' });
    return signer;
  }
  const sign = async () => {
    const raw_data_hex = delegation({ owner: wallet.address, receiver: makeWallet().address }).toString('hex');
    const body = JSON.stringify({ requests: [{ key: 'pool', raw_data_hex }] });
    const asked = { socketPath: place(SOCKET), method: 'POST', path: '/v1/sign' };
    return (await call<{ results: Result[] }>(asked, body)).body.results[0]!;
  };

  it('starts it in the repository', async () => {
    const [[command = ''] = []] = page.scripts;
    files.configure([files.key('pool', wallet)]);
    const words = command
      .replace(' config.json', ` ${files.config}`)
      .replace(/ socket$/, ` ${files.socket}`)
      .split(' ');
    const signer = new Child(words.slice(1), {}, ROOT, { program: words[0]! });
    await signer.waitFor(/^listening on unix:/m);
    expect((await files.health()).ok).toBe(true);
    await signer.interrupt();
    page.sayRan(command);
  });

  it('installs it, starts what the unit says, and begins a new log', async () => {
    const limits = { stake_sun_per_hour: '1000000' };
    const key = { ...files.key('pool', wallet, { limits }), source: { file: place('/etc/energy-signer/pool.key') } };
    files.configure([key], { state: place(`${STATE}/log`) });
    await type(page.scripts[1]!, files.folder);
    const first = await startUnit();
    expect(statSync(place(SOCKET)).uid).toBe(process.getuid!());
    expect(await sign()).toHaveProperty('signature');
    expect(await first.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    const rotate = page.inline.find((command) => command.startsWith('cp -p log'))!;
    await type([rotate], place(STATE));
    const second = await startUnit();
    expect(await sign()).toMatchObject({ error: 'limit_reached' });
    await second.stop('SIGTERM');
    expect(
      readFileSync(place(`${STATE}/log`), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(1);
    expect(statSync(place(CONFIG)).mode & 0o777).toBe(0o640);
  });

  it('meets no command that is neither run here nor has a reason why it cannot be', () => {
    page.expectAllRun();
  });
});
