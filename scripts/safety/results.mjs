// docs/safety.json: what full runs have shown, in the repository, so that a run of one bar leaves the others' rows as they were.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the bar's own tests or programs: what a result is of. */
const SERVICE = ['src', 'config', 'package-lock.json', 'test/support'];
const fileIn = (root) => join(root, 'docs', 'safety.json');

/** By bar. */
export function readResults(root) {
  return existsSync(fileIn(root)) ? JSON.parse(readFileSync(fileIn(root), 'utf8')) : {};
}

/** Whole or not at all: a run that is killed while it writes has its old results. The others may have changed since this one began. */
export function keepResult(root, bar, result) {
  const results = { ...readResults(root), [bar]: result };
  writeFileSync(`${fileIn(root)}.new`, `${JSON.stringify(results, null, 1)}\n`);
  renameSync(`${fileIn(root)}.new`, fileIn(root));
}

/** Has it held, and is it of this very service and these very tests? */
export function stillHolds(root, result, { specs = [], sources = [] }) {
  if (!result?.held || result.commit.endsWith('+')) return false;
  const args = ['diff', '--quiet', result.commit, '--', ...SERVICE, ...specs, ...sources];
  return spawnSync('git', args, { cwd: root, stdio: 'ignore' }).status === 0;
}
