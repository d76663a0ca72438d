import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { parseEnvironmentFile } from '../../scripts/with-settings.mjs';
import { Child } from './child';
import { type ProgramResult, runProgram } from './program';

const ROOT = join(__dirname, '..', '..');
const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const NOT_IN_A_CLONE = new Set(['.git', ...readFileSync(join(ROOT, '.gitignore'), 'utf8').trim().split(/\/?\n/)]);
const PROGRAM = '/opt/energy-delegation';
const DATA = '/var/lib/energy-delegation';
const PLACES = [PROGRAM, DATA, '/etc/energy-delegation', '/etc/systemd/system', '/usr/local/bin'];
/** What systemd gives every system service. */
const SERVICE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Account {
  readonly user: string;
  readonly group: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** A server as the pages have their reader set one up: a fresh clone, and a folder of its own for each place that they name. */
export class Host {
  readonly folder = mkdtempSync(join(tmpdir(), 'host-'));
  private readonly own: Account = { user: idOf('-un'), group: idOf('-gn') };
  /** Started by root, the service runs as another account, as on a host, where that one can reach the program. */
  private readonly service = idOf('-u') === '0' ? (otherAccount() ?? this.own) : this.own;

  constructor() {
    chmodSync(this.folder, 0o755);
    for (const place of [...PLACES, '/root']) mkdirSync(join(this.folder, place), { recursive: true });
    this.makeClone();
    const { uid, gid } = this.service;
    if (uid !== undefined) execFileSync('chown', [`${uid}:${gid}`, join(this.folder, DATA)]);
  }

  get program(): string {
    return join(this.folder, PROGRAM);
  }

  get data(): string {
    return join(this.folder, DATA);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What the audit log says of a command that root has typed. */
  get commandsActAs(): RegExp {
    const [root, service] = [this.own.user, this.service.user];
    return new RegExp(`^${root === service ? service : `${root} as ${service}`}@`);
  }

  /** The same text with this host's places and accounts. */
  place(text: string): string {
    const inFolder = (all: string, place: string) =>
      all.replaceAll(new RegExp(`(?<![\\w/.-])${place}(?![\\w-])`, 'g'), join(this.folder, place));
    return PLACES.reduce(inFolder, text)
      .replaceAll(/(?<=^user=|^User=)energy-delegation$/gm, this.service.user)
      .replaceAll(/(?<=^Group=|-g )energy-delegation\b/gm, this.service.group)
      .replaceAll('-o root', `-o ${this.own.user}`)
      .replaceAll('-g root', `-g ${this.own.group}`);
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  /** A login shell that begins with none of our settings. */
  shell(script: string, cwd = '/root'): Promise<ProgramResult> {
    return runProgram(['sh', '-ec', script], { cwd: join(this.folder, cwd), env: this.shellEnvironment() });
  }

  /** The same, for what goes on until it is stopped. */
  startShell(script: string, cwd = '/root'): Child {
    return new Child(['-ec', script], this.shellEnvironment(), join(this.folder, cwd), { program: 'sh' });
  }

  /** The installed unit's own command lines, the check of its settings first, account, folder, environment and settings file, as systemd takes them. */
  async startUnit(): Promise<Child> {
    const unit = readUnit(join(this.folder, '/etc/systemd/system/energy-delegation.service'));
    const only = (key: string) => unit.get(key)!.at(-1)!;
    expect([only('User'), only('Group')]).toEqual([this.service.user, this.service.group]);
    const assigned = unit.get('Environment')!.map((assignment) => assignment.split(/=(.*)/s).slice(0, 2));
    const env = {
      PATH: SERVICE_PATH,
      ...(Object.fromEntries(assigned) as Record<string, string>),
      ...parseEnvironmentFile(readFileSync(only('EnvironmentFile'), 'utf8')),
    };
    const start = (command: string) => {
      const [program, ...args] = command.replace(/^\+/, '').split(' ');
      // With a + it has the rights of root, whom our own account stands for.
      const { uid, gid } = command.startsWith('+') ? this.own : this.service;
      return new Child(args, env, only('WorkingDirectory'), { program: program!, uid, gid });
    };
    const { code, stderr } = await start(only('ExecStartPre')).ended;
    if (code !== 0) throw new Error(stderr);
    return start(only('ExecStart'));
  }

  private shellEnvironment(): Record<string, string> {
    const path = process.env['PATH']!.split(delimiter).filter((folder) => !folder.includes('node_modules'));
    return { PATH: [join(this.folder, '/usr/local/bin'), ...path].join(delimiter), HOME: join(this.folder, '/root') };
  }

  private makeClone(): void {
    const filter = (path: string) => !NOT_IN_A_CLONE.has(relative(ROOT, path));
    cpSync(ROOT, this.program, { recursive: true, filter });
    // As `npm ci` leaves it.
    symlinkSync(join(ROOT, 'node_modules'), join(this.program, 'node_modules'));
    for (const name of ['energy-cli', 'energy-delegation.service']) {
      const file = join(this.program, 'deploy/systemd', name);
      writeFileSync(file, this.place(readFileSync(file, 'utf8')));
    }
  }
}

export function readUnit(path: string): Map<string, string[]> {
  const unit = new Map<string, string[]>();
  for (const [, key, value] of readFileSync(path, 'utf8').matchAll(/^(\w+)=(.*)$/gm)) {
    unit.set(key!, [...(unit.get(key!) ?? []), value!]);
  }
  return unit;
}

export function idOf(...args: string[]): string {
  return execFileSync('id', args, { encoding: 'utf8' }).trim();
}

export function otherAccount(): Account | null {
  const [uid, gid] = [Number(idOf('-u', 'daemon')), Number(idOf('-g', 'daemon'))];
  const reaches = spawnSync(NODE, ['--version'], { uid, gid, cwd: '/' }).status === 0;
  return reaches ? { user: 'daemon', group: idOf('-gn', 'daemon'), uid, gid } : null;
}
