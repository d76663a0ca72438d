// npm test: jest, and beside it the recorded scenarios against the local chain. With arguments, jest alone on what they name.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXAMPLE_PROGRAMS, languagesMissing } from './example-programs.mjs';
import { useNewestNode } from './newest-node.mjs';

// The tests run on the Node that runs the service.
useNewestNode();

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const JEST = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')];

const run = (...command) => spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;

/** Nothing but npm is asked of a newcomer's machine; where every change is checked, a missing browser is a failure. */
function withoutBrowser() {
  if (process.env.CI === 'true') return [];
  const found = spawnSync(process.execPath, [join('scripts', 'ensure-chromium.mjs')], { cwd: ROOT });
  if (found.status === 0) return [];
  process.stdout.write(
    "\nNOT RUN, because Chromium is missing: the panel's tests in a browser (test/panel/*.browser.spec.ts)\n\n",
  );
  return ['--testPathIgnorePatterns', '\\.browser\\.spec\\.ts$'];
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

/** What it says is shown at its end, after what the tests have said. */
function beside(file, ...command) {
  const said = openSync(file, 'w');
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', said, said] });
  return once(child, 'exit').then(([code]) => {
    closeSync(said);
    process.stdout.write(readFileSync(file));
    return code ?? 1;
  });
}

/** So many specs a busy machine may fail: each is run again with nothing beside it, and a fault fails it again. */
const FEW = 8;

/** Those that failed, where jest came so far as to say so. */
function failedIn(results) {
  if (!existsSync(results)) return [];
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(ROOT, name));
}

function runAgainAlone(specs) {
  process.stdout.write(`\n${['FAILED, run again one by one:', ...specs].join('\n  ')}\n\n`);
  const code = run(...JEST, '--maxWorkers=1', '--runTestsByPath', ...specs);
  if (code === 0) process.stdout.write(`\n${['FAILED beside others, passed alone:', ...specs].join('\n  ')}\n`);
  return code;
}

/** Many specs wait for blocks and time-outs: more workers than processors keep these busy. The recorded scenarios wait, too, and run beside them. */
async function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'tests-beside-'));
  const results = join(folder, 'results.json');
  const said = ['--json', `--outputFile=${results}`];
  const specs = spawn(process.execPath, [...JEST, '--maxWorkers=4', ...said, ...withoutBrowser()], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const recorded = beside(join(folder, 'conformance'), join('test', 'conformance-run.mjs'));
  const [[code], recordedCode] = await Promise.all([once(specs, 'exit'), recorded]);
  const failed = code === 0 ? [] : failedIn(results);
  rmSync(folder, { recursive: true });
  const isFew = failed.length > 0 && failed.length <= FEW;
  return (isFew ? runAgainAlone(failed) : code) || recordedCode;
}

const named = process.argv.slice(2);
if (named.length > 0) process.exit(run(...JEST, ...named));
sayWhetherProxyIsLeftOut();
if (process.env.CI !== 'true') sayWhichBackendsAreLeftOut();
sayWhichExamplesAreLeftOut();
process.exit(await runAll());
