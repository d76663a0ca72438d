import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { prefersSystem } from '../../scripts/newest-node.mjs';

const ROOT = join(__dirname, '..', '..');
const BIN = join(ROOT, 'node_modules', '.bin');

describe("the machine's Node is used", () => {
  it.each([
    ['v24.21.0', 'v24.22.1', true],
    ['v24.21.0', 'v24.21.1', true],
    ['v24.9.0', 'v24.10.0', true],
    ['v24.21.0', 'v24.21.0', false],
    ['v24.21.0', 'v24.9.9', false],
    ['v24.21.0', 'v20.20.2', false],
    ['v24.21.0', 'v22.99.0', false],
    // Release lines that the tests do not run on.
    ['v24.21.0', 'v25.9.0', false],
    ['v24.21.0', 'v26.0.0', false],
    ['v24.21.0', 'v24.99.0-nightly2026', false],
    ['v24.21.0', '', false],
  ])('pinned %s, on the machine %s: %s', (pinned, system, expected) => {
    expect(prefersSystem(pinned, system)).toBe(expected);
  });
});

describe('an older Node than the service runs on', () => {
  const pretend = (version: string) =>
    `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;

  it.each([
    'scripts/test.mjs',
    'scripts/run.mjs',
    'scripts/simulate.mjs',
    'scripts/safety/main.mjs',
    'scripts/check.mjs',
    'scripts/bench/main.mjs',
    'scripts/soak/main.mjs',
  ])('is refused by %s in one sentence, before anything is loaded', (script) => {
    for (const version of ['20.19.4', '24.6.9']) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', pretend(version), join(ROOT, script)],
        { encoding: 'utf8' },
      );
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^Node 24\.7 or newer is needed, this is .*\n$/);
    }
  });
});

describe('a program started through npm', () => {
  const directory = mkdtempSync(join(tmpdir(), 'newest-node-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** What it prints where the machine's Node says that it is of this version. The program is named from the working directory, as the unit names it. */
  const run = (version: string, root = ROOT) => {
    writeFileSync(
      join(directory, 'node'),
      `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo "the machine's, $*"\n`,
    );
    chmodSync(join(directory, 'node'), 0o755);
    writeFileSync(join(directory, 'program.js'), 'console.log(process.version, ...process.argv.slice(2))');
    const program = [join(root, 'scripts', 'newest-node.mjs'), 'program.js', 'one', 'two'];
    const env = { ...process.env, PATH: [BIN, directory, process.env['PATH']].join(delimiter) };
    return execFileSync(join(BIN, 'node'), program, { encoding: 'utf8', env, cwd: directory }).trim();
  };

  it("runs on the machine's Node where that is newer, with all its arguments", () => {
    expect(run('v24.99.0')).toMatch(/^the machine's, \S+newest-node\.mjs program\.js one two$/);
  });

  it('runs where the project is reached through a link', () => {
    symlinkSync(ROOT, join(directory, 'current'));
    expect(run('v24.99.0', join(directory, 'current'))).toContain('program.js one two');
  });

  it('runs on the one that npm brought along where the machine has an older one', () => {
    expect(run('v20.20.2')).toMatch(/^v24\.\d+\.\d+ one two$/);
  });
});
