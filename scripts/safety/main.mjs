// npm run test:safety [-- --bar N …] [--share 0.01] [--minutes 120] [--again]: the bars of docs/safety.md, each at its own count (or that share
// of it), and then that page. What a run has finished stands in .safety/state.json and is not done again unless --again asks for it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { useNewestNode } from '../newest-node.mjs';
import { BARS } from './bars.mjs';
import { commitOf } from './commit.mjs';
import { killTree } from './kill-tree.mjs';
import { writeReport } from './report.mjs';

useNewestNode();
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PLACE = join(ROOT, '.safety');
const STATE = join(PLACE, 'state.json');
const JEST = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')];

const { values } = parseArgs({
  options: {
    bar: { type: 'string', multiple: true },
    share: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '120' },
    again: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const share = Number(values.share);
if (!(share > 0 && share <= 1)) usage(`--share must be above 0 and at most 1, not ${values.share}`);
const wanted = (values.bar ?? []).map(Number);
const unknown = wanted.filter((bar) => !BARS.some((known) => known.bar === bar));
if (unknown.length > 0) usage(`there is no bar ${unknown.join(', ')}`);

function usage(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

const readState = () => (existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {});

/** Whole or not at all: a run that is killed while it writes has its old state. */
function saveState(state) {
  mkdirSync(PLACE, { recursive: true });
  writeFileSync(`${STATE}.new`, JSON.stringify(state, null, 1));
  renameSync(`${STATE}.new`, STATE);
}

const commit = commitOf(ROOT);

/** In a process group of its own, which ends, with all that it has begun, when its time is over. */
function runJest(specs, env, limitMs) {
  return new Promise((resolve) => {
    const args = [
      ...JEST,
      '--maxWorkers=1',
      '--json',
      `--outputFile=${env.SAFETY_OUTCOME}`,
      '--runTestsByPath',
      ...specs,
    ];
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data) => (said += String(data)));
    const end = () => killTree(child.pid);
    const limit = setTimeout(end, limitMs);
    // An interrupted bar has no result, and is begun again by the next run.
    const interrupt = () => {
      end();
      process.exit(130);
    };
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, interrupt);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, interrupt);
      resolve({ code, timedOut: signal === 'SIGKILL', said });
    });
  });
}

/** Bars that the same tests show are shown by one run of them. */
const runs = new Map();

async function runBar({ bar, specs }) {
  const key = specs.join(' ');
  const shared = runs.get(key);
  const { lines, ...run } = shared ?? (await runSpecs(bar, specs));
  // The checks of one run are counted with its first bar alone.
  if (!shared) runs.set(key, { ...run, lines, checks: 0 });
  // What belongs to other bars is not counted here.
  return { ...run, counts: lines.filter((line) => line.bar === bar) };
}

async function runSpecs(bar, specs) {
  const results = join(PLACE, `bar-${bar}.jsonl`);
  const outcome = join(PLACE, `bar-${bar}.json`);
  for (const file of [results, outcome]) rmSync(file, { force: true });
  const startedMs = Date.now();
  const env = { SAFETY_SHARE: String(share), SAFETY_RESULTS: results, SAFETY_OUTCOME: outcome };
  const { code, timedOut, said } = await runJest(specs, env, Number(values.minutes) * 60_000);
  const tests = existsSync(outcome)
    ? JSON.parse(readFileSync(outcome, 'utf8'))
    : { numPassedTests: 0, numTotalTests: 0 };
  const lines = existsSync(results)
    ? readFileSync(results, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  writeFileSync(join(PLACE, `bar-${bar}.log`), said);
  return {
    held: code === 0,
    timedOut,
    share,
    commit,
    at: new Date().toISOString(),
    seconds: Math.round((Date.now() - startedMs) / 1000),
    tests: { passed: tests.numPassedTests, all: tests.numTotalTests },
    lines,
    log: `.safety/bar-${bar}.log`,
    checks: lines.filter((line) => line.bar === 1).length,
  };
}

const state = readState();
mkdirSync(PLACE, { recursive: true });
let failed = 0;
const chosen = BARS.filter(({ bar, run }) => !run && (wanted.length === 0 || wanted.includes(bar)));
for (const each of values.report ? [] : chosen) {
  const before = state[each.bar];
  if (before?.held && before.share >= share && !values.again) {
    process.stdout.write(`bar ${each.bar}: held already (${before.commit}); --again runs it again\n`);
    continue;
  }
  process.stdout.write(`bar ${each.bar}: ${each.holds} …\n`);
  const result = await runBar(each);
  // Without a test there is no result: something that tests need is not there.
  if (result.tests.all > 0 || result.timedOut) {
    state[each.bar] = result;
    saveState(state);
  }
  const log = result.held ? '' : `, see ${result.log}`;
  if (!result.held) failed += 1;
  process.stdout.write(
    `  ${result.held ? 'held' : result.timedOut ? 'NOT FINISHED in its time' : result.tests.all === 0 ? 'COULD NOT BE RUN' : 'DOES NOT HOLD'} in ${result.seconds} s${log}\n`,
  );
}
writeReport(ROOT, state);
process.stdout.write('docs/safety.md is written\n');
process.exit(failed > 0 ? 1 : 0);
