// npm test: jest, then the recorded scenarios against the local chain, alone, because they look at a running clock.
// With arguments, jest alone on what they name.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
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
    "\nNOT RUN, for there is no Chromium: the panel's tests in a browser (test/panel/*.browser.spec.ts)\n\n",
  );
  return ['--testPathIgnorePatterns', '\\.browser\\.spec\\.ts$'];
}

/** The specs leave them out by themselves; it is said once, before thousands of lines. */
function sayWhichExamplesAreLeftOut() {
  for (const language of languagesMissing()) {
    const programs = EXAMPLE_PROGRAMS[language].programs.join(', ');
    process.stdout.write(`\nNOT RUN, for there is not all of ${programs}: the examples in examples/${language}\n`);
  }
}

const named = process.argv.slice(2);
if (named.length > 0) process.exit(run(...JEST, ...named));
sayWhichExamplesAreLeftOut();
const jest = run(...JEST, ...withoutBrowser());
const conformance = run(join('test', 'conformance-run.mjs'));
process.exit(jest || conformance);
