import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { areUnchanged, commitOf } from '../../scripts/safety/commit.mjs';
import { runProgram } from '../../scripts/safety/run-program.mjs';
import { sourcesOf } from '../../scripts/safety/sources.mjs';
import { until } from '../support/until';

const ROOT = join(__dirname, '..', '..');

describe('what runs the bars of docs/safety.md', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bars-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  function makeRepository(): void {
    git('init');
    for (const [key, value] of ['user.name x', 'user.email x@example.com'].map((pair) => pair.split(' ')))
      git('config', key!, value!);
    write('service.ts', 'one');
    write('other.ts', 'one');
    git('add', '.');
    git('commit', '-m', 'first');
  }

  it('takes a result for one of the service, the runner and all that its tests import, and of nothing else', () => {
    const sources = sourcesOf(ROOT, { specs: ['test/safety/due-reclaims.spec.ts'] });
    expect(sources).toEqual(
      expect.arrayContaining([
        'src',
        'package-lock.json',
        'jest.config.cjs',
        'test/support/one-context.environment.cjs',
        'test/safety/claim-log.ts',
        'test/support/order-world.ts',
        'test/support/held-lock.ts',
      ]),
    );
    expect(sources.filter((path) => /panel|simulate|node-faults/.test(path))).toEqual([]);
  });

  it('takes a program’s result for one of all that the program imports', () => {
    const sources = sourcesOf(ROOT, { run: { commands: [['scripts/simulate.mjs', '--planted']] } });
    expect(sources).toEqual(expect.arrayContaining(['scripts/simulate.mjs', 'test/simulate/world/checker.ts']));
    expect(sources).not.toContain('jest.config.cjs');
  });

  it('sees when something has changed since, whether it is committed or not', () => {
    makeRepository();
    const commit = commitOf(folder);
    expect(commit).toMatch(/^[\da-f]{7,}$/);
    expect(areUnchanged(folder, commit, ['service.ts'])).toBe(true);
    write('service.ts', 'two');
    expect(areUnchanged(folder, commit, ['other.ts'])).toBe(true);
    expect(areUnchanged(folder, commit, ['service.ts'])).toBe(false);
    expect(commitOf(folder)).toBe(`${commit}+`);
    git('commit', '-am', 'second');
    expect(areUnchanged(folder, commit, ['service.ts'])).toBe(false);
    write('new.ts', 'one');
    expect(commitOf(folder)).toMatch(/\+$/);
  });

  it('counts what no repository knows for no known service', () => {
    const commit = commitOf(folder);
    expect(commit).toBe('unknown+');
    expect(areUnchanged(folder, commit, ['.'])).toBe(false);
    expect(areUnchanged(folder, 'abcdef0', ['.'])).toBe(false);
  });

  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('ends a program that is out of time with all that it has begun, also what leads a group of its own', async () => {
    const [program, pidFile, goodbye] = ['program.mjs', 'pid', 'goodbye'].map((name) => join(folder, name));
    write(
      'program.mjs',
      `import { spawn } from 'node:child_process';
       import { writeFileSync } from 'node:fs';
       const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' });
       process.once('SIGTERM', () => (writeFileSync(${JSON.stringify(goodbye)}, 'x'), process.exit(1)));
       writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
       setInterval(() => 0, 1000);`,
    );
    const { timedOut } = await runProgram(folder, [program!], { limitMs: 2_000, stdout: 'ignore' });
    expect(timedOut).toBe(true);
    expect(existsSync(goodbye!)).toBe(true);
    const pid = Number(readFileSync(pidFile!, 'utf8'));
    await until('the detached child gone', async () => !isAlive(pid));
  });

  it('tells a program that failed from one that was out of time', async () => {
    write('fails.mjs', `process.stderr.write('why'); process.exit(3);`);
    const end = await runProgram(folder, [join(folder, 'fails.mjs')], { limitMs: 60_000, stdout: 'ignore' });
    expect(end).toEqual({ code: 3, timedOut: false, said: 'why' });
  });
});
