// npm run test:safety [-- --bar N …] [--share 0.01] [--minutes 120] [--again]: the bars of docs/safety.md, each at its own count (or that share
// of it). What full counts have shown is kept in test/safety/results.json and written into that page. Without --bar or --again, what has held is not
// run once more before the service or the bar's tests have changed. --report writes the page alone.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { useNewestNode } from '../newest-node.mjs';
import { BARS } from './bars.mjs';
import { areUnchanged, commitOf } from './commit.mjs';
import { machineOf, writeReport } from './report.mjs';
import { isCurrent, keepResult, readResults } from './results.mjs';
import { runCommands } from './run-commands.mjs';
import { runSpecs } from './run-specs.mjs';
import { sourcesOf } from './sources.mjs';

useNewestNode();
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PLACE = join(ROOT, '.safety');

const { values } = parseArgs({
  options: {
    bar: { type: 'string', multiple: true, default: [] },
    share: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '120' },
    again: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const share = Number(values.share);
const limitMs = Number(values.minutes) * 60_000;
if (!(limitMs > 0)) usage(`--minutes must be above 0, not ${values.minutes}`);
if (!(share > 0 && share <= 1)) usage(`--share must be above 0 and at most 1, not ${values.share}`);
const unknown = values.bar.filter((bar) => !BARS.some((known) => String(known.bar) === bar));
if (unknown.length > 0) usage(`unknown bar ${unknown.join(', ')}`);

function usage(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

/** Bars that the same tests show are shown by one run of them. */
const runs = new Map();

async function runBar(bar) {
  const startedMs = Date.now();
  const commit = commitOf(ROOT);
  const done = (result) => ({
    ...result,
    // The folder may differ by now from what was run.
    commit: commit.endsWith('+') || areUnchanged(ROOT, commit, sourcesOf(ROOT, bar)) ? commit : `${commit}+`,
    machine: machineOf(ROOT),
    at: new Date().toISOString(),
    seconds: Math.round((Date.now() - startedMs) / 1000),
    stands: bar.stands,
  });
  if (bar.run) return done(await runCommands(ROOT, PLACE, bar.run, limitMs));
  const key = bar.specs.join(' ');
  const shared = runs.get(key);
  const result = shared ?? done(await runSpecs(ROOT, PLACE, { ...bar, share, limitMs }));
  runs.set(key, result);
  const { lines, ...rest } = result;
  // The checks of one run are counted with its first bar alone.
  const checks = shared ? 0 : lines.filter((line) => line.bar === 1).length;
  // What belongs to other bars is not counted here.
  return { ...rest, counts: lines.filter((line) => line.bar === bar.bar), checks };
}

function verdictOf({ held, timedOut, tests }) {
  if (held) return 'held';
  if (timedOut) return 'NOT FINISHED in its time';
  return tests?.all === 0 ? 'COULD NOT BE RUN' : 'DOES NOT HOLD';
}

const isNamed = ({ bar }) => values.bar.length === 0 || values.bar.includes(String(bar));
const wanted = BARS.filter(isNamed);
/** These bars cannot be run in part. */
const whole = share === 1 ? [] : wanted.filter(({ run }) => run !== undefined);
for (const { bar, run } of whole) process.stdout.write(`bar ${bar}: NOT RUN, it has no share: ${run.less}\n`);

/** Does what has been seen before stand, so that it need not be done again? */
const stands = (bar, before) => before?.held === true && isCurrent(ROOT, before, bar);

mkdirSync(PLACE, { recursive: true });
let failed = 0;
for (const bar of values.report ? [] : wanted.filter((one) => !whole.includes(one))) {
  const before = readResults(ROOT)[bar.bar];
  if (share === 1 && values.bar.length === 0 && !values.again && stands(bar, before)) {
    process.stdout.write(`bar ${bar.bar}: held already (${before.commit}); --again runs it again\n`);
    continue;
  }
  process.stdout.write(`bar ${bar.bar}: ${bar.holds} …\n`);
  const result = await runBar(bar);
  if (!result.held) failed += 1;
  const log = result.held || bar.run ? '' : `, see ${result.log}`;
  process.stdout.write(`  ${verdictOf(result)} in ${result.seconds} s${log}\n`);
  // Without a test, nothing was measured: something that tests need is missing.
  if (share < 1 || verdictOf(result) === 'COULD NOT BE RUN') continue;
  // Nor is it one that the time was too short, where there is one of the same service.
  if (result.timedOut && stands(bar, before)) continue;
  keepResult(ROOT, bar.bar, result);
  writeReport(ROOT, readResults(ROOT));
}
if (share < 1) process.stdout.write('a share: docs/safety.md, which is of full counts, is left as it is\n');
else {
  writeReport(ROOT, readResults(ROOT));
  process.stdout.write('docs/safety.md is written\n');
}
process.exit(failed > 0 ? 1 : 0);
