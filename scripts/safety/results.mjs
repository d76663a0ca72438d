// test/safety/results.json: what full runs have shown, in the repository, so that a run of one bar leaves the others' rows as they were.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areUnchanged } from './commit.mjs';
import { sourcesOf } from './sources.mjs';

const fileIn = (root) => join(root, 'test', 'safety', 'results.json');

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

/** Is it of this very service and these very tests? */
export function isCurrent(root, result, bar) {
  return areUnchanged(root, result.commit, sourcesOf(root, bar));
}
