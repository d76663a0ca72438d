import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** What one run did, in the words of docs/safety.md. */
export interface Part {
  readonly held: boolean;
  readonly seconds: number;
  readonly done: string;
  readonly seen: string;
}

interface RecordedPart extends Part {
  readonly commit: string;
  readonly at: string;
}

interface Recorded {
  readonly seeds?: RecordedPart;
  readonly planted?: RecordedPart;
}

/** Set by scripts/simulate.mjs. */
const COMMIT = process.env['SIMULATE_COMMIT'] ?? 'unknown+';

/** Keeps it for bar 17, beside what stands there of the other kind of run. */
export function record(kind: keyof Recorded, part: Part, place = join(ROOT, '.safety'), commit = COMMIT): void {
  const file = join(place, 'simulate.json');
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded) : {};
  const now: RecordedPart = { ...part, commit, at: new Date().toISOString() };
  const { seeds, planted }: Recorded = { ...before, [kind]: now };
  const parts = [seeds, planted].filter((one) => one !== undefined);
  const newest = parts.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0]!;
  const isOfOneCommit = parts.every((one) => one.commit === newest.commit);
  const done = parts.map((one) => (isOfOneCommit ? one.done : `${one.done} (at ${one.commit})`));
  if (!seeds) done.unshift('no seeds');
  if (!planted) done.push('no planted bugs');
  const bar = {
    held: parts.every(({ held }) => held),
    commit: newest.commit,
    at: newest.at,
    seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
    text: { done: done.join('; '), seen: parts.map(({ seen }) => seen).join('; ') },
  };
  mkdirSync(place, { recursive: true });
  // Whole or not at all.
  writeFileSync(`${file}.new`, JSON.stringify({ ...bar, seeds, planted }, null, 1));
  renameSync(`${file}.new`, file);
}
