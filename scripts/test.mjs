// npm test: jest, and beside it the recorded scenarios against the local chain. With arguments, jest alone on what they name.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXAMPLE_PROGRAMS, languagesMissing } from './example-programs.mjs';
import { useNewestNode } from './newest-node.mjs';

// The tests run on the Node that runs the service.
useNewestNode();

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const JEST = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')];

const WAITING = '\\.waiting\\.spec\\.ts$';

const run = (...command) => spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;

/** Nothing but npm is asked of a newcomer's machine; where every change is checked, a missing browser is a failure. */
function withoutBrowser() {
  if (process.env.CI === 'true') return [];
  const found = spawnSync(process.execPath, [join('scripts', 'ensure-chromium.mjs')], { cwd: ROOT });
  if (found.status === 0) return [];
  process.stdout.write(
    "\nNOT RUN, because Chromium is missing: the panel's tests in a browser (test/panel/*.browser.spec.ts)\n\n",
  );
  return ['\\.browser\\.spec\\.ts$'];
}

/** The specs of these leave themselves out, where nothing demands that all of them run. */
function sayWhichBackendsAreLeftOut() {
  for (const name of ['moto', 'softhsm']) {
    const found = spawnSync(process.execPath, [join('scripts', `ensure-${name}.mjs`)], { cwd: ROOT });
    if (found.status !== 0)
      process.stdout.write(`\nNOT RUN, because ${name} is missing: the signer's tests with it (test/signer)\n`);
  }
}

/** As with the browser; the specs leave them out by themselves. */
function sayWhetherProxyIsLeftOut() {
  if (process.env.CI === 'true') return;
  const found = spawnSync(process.execPath, [join('scripts', 'ensure-caddy.mjs')], { cwd: ROOT });
  if (found.status !== 0)
    process.stdout.write('\nNOT RUN, because Caddy is missing: the tests of deploy/caddy (test/deploy)\n');
}

/** The specs leave them out by themselves; it is said once, before thousands of lines. */
function sayWhichExamplesAreLeftOut() {
  for (const language of languagesMissing()) {
    const programs = EXAMPLE_PROGRAMS[language].programs.join(', ');
    process.stdout.write(`\nNOT RUN, for there is not all of ${programs}: the examples in examples/${language}\n`);
  }
}

/** What it says is shown at its end, after what the others have said. */
function beside(folder, name, ...command) {
  const file = join(folder, name);
  const said = openSync(file, 'w');
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', said, said] });
  return once(child, 'exit').then(([code]) => {
    closeSync(said);
    return { code: code ?? 1, show: () => process.stdout.write(readFileSync(file)) };
  });
}

/**
 * Specs that wait for blocks and time-outs (`*.waiting.spec.ts`), and the scenarios, leave the processors idle: they run beside the others.
 * More workers for the others would make them too slow for their own time-outs.
 */
async function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'tests-beside-'));
  const others = spawn(
    process.execPath,
    [...JEST, '--maxWorkers=3', '--testPathIgnorePatterns', WAITING, ...withoutBrowser()],
    { cwd: ROOT, stdio: 'inherit' },
  );
  const [[code], ...ended] = await Promise.all([
    once(others, 'exit'),
    beside(folder, 'waiting', ...JEST, '--maxWorkers=2', '--testPathPatterns', WAITING),
    beside(folder, 'conformance', join('test', 'conformance-run.mjs')),
  ]);
  for (const { show } of ended) show();
  rmSync(folder, { recursive: true });
  return [code ?? 1, ...ended.map((one) => one.code)].find((one) => one !== 0) ?? 0;
}

const named = process.argv.slice(2);
if (named.length > 0) process.exit(run(...JEST, ...named));
sayWhetherProxyIsLeftOut();
if (process.env.CI !== 'true') sayWhichBackendsAreLeftOut();
sayWhichExamplesAreLeftOut();
process.exit(await runAll());
