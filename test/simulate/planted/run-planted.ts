import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../database/server';
import { record } from '../record';
import { Worker } from '../worker-pool';
import { makePlan } from '../world/make-plan';
import type { History } from '../world/world';
import { BUGS } from './bugs';
import { CAUGHT_BY } from './caught-by';
import { SHOWN_IN } from './shown-in';

/** So many seeds are tried before a bug counts as not caught. */
const MOST_SEEDS = 100;
const MOST_SHOWN = 160;

interface Hunted {
  readonly name: string;
  readonly isCaught: boolean;
  readonly seconds: number;
}

/** One line for each bug; true when every one was caught. */
export async function runPlanted(places: readonly Place[], only?: readonly string[]): Promise<boolean> {
  const left = BUGS.filter(({ name }) => only === undefined || only.includes(name));
  const beganMs = performance.now();
  const hunted: Hunted[] = [];
  const work = async (place: Place) => {
    const sound = new SoundSeeds(place);
    for (let bug = left.shift(); bug; bug = left.shift()) hunted.push(await hunt(place, bug.name, sound));
    await sound.stop();
  };
  await Promise.all(places.map(work));
  const missed = hunted.filter(({ isCaught }) => !isCaught).map(({ name }) => name);
  console.log(`${hunted.length - missed.length} of ${hunted.length} planted bugs caught`);
  if (missed.length > 0) console.log(`not caught: ${missed.join(', ')}`);
  if (hunted.length === BUGS.length) recordPlanted(hunted, missed, beganMs);
  return hunted.length > 0 && missed.length === 0;
}

function recordPlanted(hunted: readonly Hunted[], missed: readonly string[], beganMs: number): void {
  const longest = Math.ceil(Math.max(...hunted.map(({ seconds }) => seconds)));
  record('planted', {
    held: missed.length === 0,
    seconds: Math.round((performance.now() - beganMs) / 1000),
    done: `${hunted.length} planted bugs`,
    seen: missed.length === 0 ? `each bug caught, within ${longest} s` : `not caught: ${missed.join(', ')}`,
  });
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

/** Seeds in which nothing is wrong without a bug: in others, something else was caught. */
class SoundSeeds {
  private worker: Worker | null = null;
  private readonly isSound = new Map<number, boolean>();

  constructor(private readonly place: Place) {}

  async has(seed: number): Promise<boolean> {
    const isSound = this.isSound.get(seed) ?? (await this.find(seed));
    this.isSound.set(seed, isSound);
    return isSound;
  }

  private async find(seed: number): Promise<boolean> {
    this.worker ??= new Worker(this.place);
    const { violations } = await this.worker.run(seed);
    if (violations.length > 0) console.log(`seed ${seed} has a violation without any bug`);
    return violations.length === 0;
  }

  async stop(): Promise<void> {
    await this.worker?.stop();
  }
}

/** Where each was caught before comes first; what catches it is found again by nothing but its seed. */
function seedsFor(name: string): number[] {
  const first = CAUGHT_BY[name];
  const mayShow = SHOWN_IN[name] ?? (() => true);
  const seeds = first === undefined ? [] : [first];
  for (let seed = 1; seeds.length < MOST_SEEDS; seed++) if (seed !== first && mayShow(makePlan(seed))) seeds.push(seed);
  return seeds;
}

/** A service that no longer works at all shows nothing of the bug; nor does a patch that is wrong as a program. */
function isBroken({ violations, counts }: History): boolean {
  const isWrongPatch = violations.every((what) => /\b(?:Type|Reference|Syntax)Error\b/.test(what));
  return isWrongPatch || (!counts['told OK'] && violations.some((what) => /^not settled|never answered/.test(what)));
}

async function hunt(place: Place, name: string, sound: SoundSeeds): Promise<Hunted> {
  const beganMs = performance.now();
  const worker = new Worker(place, name);
  try {
    for (const seed of seedsFor(name)) {
      const history = await worker.run(seed);
      const { violations } = history;
      if (violations.length === 0 || isBroken(history) || !(await sound.has(seed))) continue;
      const seconds = secondsSince(beganMs);
      console.log(
        `caught ${name} seed ${seed} in ${seconds.toFixed(1)} s: ${violations[0]!.split('\n')[0]!.slice(0, MOST_SHOWN)}`,
      );
      return { name, isCaught: true, seconds };
    }
    console.log(`NOT CAUGHT ${name} in ${MOST_SEEDS} seeds`);
    return { name, isCaught: false, seconds: secondsSince(beganMs) };
  } finally {
    await worker.stop();
  }
}

function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1000;
}
