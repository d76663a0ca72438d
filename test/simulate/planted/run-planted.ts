import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '../worker-pool';
import { BUGS } from './bugs';

/** So many seeds are tried before a bug counts as not caught. */
const MOST_SEEDS = 100;

/** One line for each bug; true when every one was caught. */
export async function runPlanted(databaseUrls: readonly string[], only?: string): Promise<boolean> {
  const left = BUGS.filter(({ name }) => only === undefined || name === only);
  const missed: string[] = [];
  const work = async (databaseUrl: string) => {
    for (let bug = left.shift(); bug; bug = left.shift())
      if (!(await hunt(databaseUrl, bug.name))) missed.push(bug.name);
  };
  await Promise.all(databaseUrls.map(work));
  if (missed.length > 0) console.log(`not caught: ${missed.join(', ')}`);
  return missed.length === 0;
}

/** Whether each bug can still be planted: the text that it replaces is there, once. */
export function findPlaces(): boolean {
  const lost = BUGS.flatMap(({ name, patches }) =>
    patches
      .filter(
        ({ file, from }) => readFileSync(join(__dirname, '..', '..', '..', file), 'utf8').split(from).length !== 2,
      )
      .map(({ file }) => `${name}: its place in ${file} is gone, or is there twice`),
  );
  console.log(lost.length === 0 ? `${BUGS.length} bugs can be planted` : lost.join('\n'));
  return lost.length === 0;
}

async function hunt(databaseUrl: string, name: string): Promise<boolean> {
  const beganMs = performance.now();
  const worker = new Worker(databaseUrl, name);
  try {
    for (let seed = 1; seed <= MOST_SEEDS; seed++) {
      const { violations } = await worker.run(seed);
      if (violations.length === 0) continue;
      console.log(
        `caught ${name} seed ${seed} in ${((performance.now() - beganMs) / 1000).toFixed(1)} s: ${violations[0]}`,
      );
      return true;
    }
    console.log(`NOT CAUGHT ${name} in ${MOST_SEEDS} seeds`);
    return false;
  } finally {
    await worker.stop();
  }
}
