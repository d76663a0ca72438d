// npm test: jest, then the recorded scenarios against the local chain, alone, because they look at a running clock.
// With arguments, jest alone on what they name.
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

/**
 * Specs that wait for blocks and time-outs leave the processors idle; more workers for all would make the others too slow for their own
 * time-outs: with three of each kind, one test in a few runs met a node that seemed not to answer. So those that wait
 * (`*.waiting.spec.ts`) run beside the others, and what they say is shown at their end.
 */
async function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'tests-that-wait-'));
  const file = join(folder, 'said');
  const said = openSync(file, 'w');
  const waiting = spawn(process.execPath, [...JEST, '--maxWorkers=3', '--testPathPatterns', WAITING], {
    cwd: ROOT,
    stdio: ['ignore', said, said],
  });
  const others = spawn(
    process.execPath,
    [...JEST, '--maxWorkers=2', '--testPathIgnorePatterns', WAITING, ...withoutBrowser()],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  );
  const codes = await Promise.all([waiting, others].map(async (child) => (await once(child, 'exit'))[0] ?? 1));
  closeSync(said);
  process.stdout.write(readFileSync(file));
  rmSync(folder, { recursive: true });
  return codes.find((code) => code !== 0) ?? 0;
}

const named = process.argv.slice(2);
if (named.length > 0) process.exit(run(...JEST, ...named));
sayWhetherProxyIsLeftOut();
sayWhichExamplesAreLeftOut();
const jest = await runAll();
const conformance = run(join('test', 'conformance-run.mjs'));
process.exit(jest || conformance);
