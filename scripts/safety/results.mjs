// docs/safety.json: what full runs have shown, in the repository, so that a run of one bar leaves the others' rows as they were.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the bar's own tests: what a result is of. */
const SERVICE = ['src', 'config', 'package-lock.json'];
const fileIn = (root) => join(root, 'docs', 'safety.json');

/** `{ machine, bars: { '1': result, … } }` */
export function readResults(root) {
  return existsSync(fileIn(root)) ? JSON.parse(readFileSync(fileIn(root), 'utf8')) : { bars: {} };
}

/** Whole or not at all: a run that is killed while it writes has its old results. */
export function saveResults(root, results) {
  writeFileSync(`${fileIn(root)}.new`, `${JSON.stringify(results, null, 1)}\n`);
  renameSync(`${fileIn(root)}.new`, fileIn(root));
}

/** Has it held, and is it of this very service and these very tests? */
export function stillHolds(root, result, specs = []) {
  if (!result?.held || result.commit.endsWith('+')) return false;
  const args = ['diff', '--quiet', result.commit, '--', ...SERVICE, ...specs];
  return spawnSync('git', args, { cwd: root, stdio: 'ignore' }).status === 0;
}
