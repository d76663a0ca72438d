import type { Place } from './database/server';
import { record } from './record';
import { shorten } from './shorten';
import { neverMet } from './never-met';
import { Twice } from './twice';
import { Worker } from './worker-pool';
import { makePlan } from './world/make-plan';
import type { Plan } from './world/plan';
import { Tally } from './world/tally';
import type { History } from './world/world';

const SHOWN_EVERY = 50;
/** A run of fewer leaves docs/safety.md as it is. */
const LEAST_RECORDED = 100;
/** So many meet everything that is planned; fewer may lack the rarest. */
const LEAST_MEETING_ALL = 1_000;

export interface Seeds {
  readonly first: number;
  readonly count: number;
  /** No further one is begun then. */
  readonly forMs?: number;
  /** Each so many-th is carried out once more; 50 if nothing is said. */
  readonly twiceEvery?: number;
}

/** Each seed once. What is wrong is shown with its seed and its shortest history. */
export async function runSeeds(
  places: readonly Place[],
  { first, count, forMs = Infinity, twiceEvery }: Seeds,
): Promise<boolean> {
  const beganMs = performance.now();
  const totals = { histories: 0, orders: 0, events: 0, virtualMs: 0, wrong: 0, tally: new Tally() };
  const twice = new Twice(places, twiceEvery);
  const workers = places.map((place) => ({ place, worker: new Worker(place) }));
  let next = first;
  const work = async ({ place, worker }: (typeof workers)[number]) => {
    while (next < first + count && performance.now() < beganMs + forMs) {
      const seed = next++;
      const history = await worker.run(seed);
      totals.histories += 1;
      totals.orders += history.orders;
      totals.events += history.events;
      totals.virtualMs += history.virtualMs;
      totals.tally.addAll(history.counts);
      twice.note({ place, seed, digest: history.digest });
      if (history.violations.length > 0) {
        totals.wrong += 1;
        await tell(worker, makePlan(seed), history, `--seed ${seed}`);
      }
      if (totals.histories % SHOWN_EVERY === 0) console.log(summary(totals, beganMs));
    }
  };
  await Promise.all(workers.map(work));
  await Promise.all(workers.map(({ place, worker }) => twice.runOthers(worker, place)));
  await Promise.all(workers.map(({ worker }) => worker.stop()));
  console.log(summary(totals, beganMs));
  if (twice.count > 0)
    console.log(`${twice.count} seeds run twice, on ${places.length} servers, ${twice.differing} with another log`);
  const { counts } = totals.tally;
  if (count > 1) console.log(`met and come to: ${toldOf(counts)}`);
  const missing = totals.histories >= LEAST_MEETING_ALL ? neverMet(counts) : [];
  if (missing.length > 0) console.log(`NEVER MET: ${missing.join(', ')}`);
  if (totals.histories >= LEAST_RECORDED) recordSeeds({ ...totals, missing: missing.length, twice }, count, beganMs);
  return totals.histories > 0 && totals.wrong === 0 && missing.length === 0 && twice.differing === 0;
}

/** One history, twice: the log has to be the same. */
export async function replay(place: Place, plan: Plan, showLog: boolean, bug?: string): Promise<boolean> {
  const { seed } = plan;
  const worker = new Worker(place, bug ?? null, true);
  const history = await worker.run(seed, plan);
  const again = await worker.run(seed, plan);
  if (showLog) console.log(history.lines.join('\n'));
  console.log(
    `seed ${seed}: ${history.events} events, ${history.orders} orders, ${history.virtualMs / 1000} s, log ${history.digest}`,
  );
  if (again.digest !== history.digest) {
    const at = history.lines.findIndex((line, index) => line !== again.lines[index]);
    console.log(`seed ${seed}, run twice, gave two logs, at line ${at}:`);
    for (const { lines } of [history, again]) console.log(lines.slice(Math.max(0, at - 5), at + 2).join('\n'));
  }
  if (history.violations.length > 0) await tell(worker, plan, history, `--seed ${seed}${bug ? ` --bug ${bug}` : ''}`);
  await worker.stop();
  return history.violations.length === 0 && again.digest === history.digest;
}

async function tell(worker: Worker, plan: Plan, history: History, options: string): Promise<void> {
  console.log(
    `VIOLATION, seed ${plan.seed}, log ${history.digest} (npm run simulate -- ${options}):\n  ${history.violations.join('\n  ')}`,
  );
  const short = await shorten(worker, plan, history);
  console.log(
    `its shortest history, ${short.plan.actions.length} actions (--plan runs what is in a file): ${JSON.stringify(short.plan)}`,
  );
  console.log(short.lines.map((line) => `  ${line}`).join('\n'));
}

interface Totals {
  readonly histories: number;
  readonly orders: number;
  readonly events: number;
  readonly virtualMs: number;
  readonly wrong: number;
  readonly tally: Tally;
}

function toldOf(counts: Tally['counts']): string {
  const names = Object.keys(counts).toSorted();
  return names.map((name) => `${name} ${counts[name]}`).join('; ');
}

type Recorded = Totals & { readonly missing: number; readonly twice: Twice<Place> };

function recordSeeds(
  { histories, orders, virtualMs, wrong, twice, missing, tally }: Recorded,
  count: number,
  beganMs: number,
): void {
  const number = (value: number) => Math.round(value).toLocaleString('en-US');
  const of = (state: string) => number(tally.counts[`order ${state}`] ?? 0);
  record('seeds', {
    held: wrong === 0 && missing === 0 && twice.differing === 0,
    seconds: secondsSince(beganMs),
    done: `${histories < count ? `${number(histories)} of ` : ''}${number(count)} seeds: ${number(orders)} requests in ${number(virtualMs / 3_600_000)} hours of chain time`,
    seen: [
      wrong === 0 ? 'no violation' : `a violation in ${number(wrong)} seeds`,
      `${number(twice.count)} run twice, ${twice.differing === 0 ? 'each with the same log' : `${number(twice.differing)} with another log`}`,
      `orders: ${of('reclaimed')} charged and taken back, ${of('taken_back')} taken back uncharged, ${of('failed')} failed`,
      ...(histories < LEAST_MEETING_ALL
        ? []
        : [missing === 0 ? 'every kind of trouble met' : `${missing} kinds of trouble never met`]),
    ].join('; '),
  });
}

function secondsSince(beganMs: number): number {
  return Math.round((performance.now() - beganMs) / 1000);
}

function summary({ histories, orders, events, virtualMs, wrong }: Totals, beganMs: number): string {
  return `${histories} seeds, ${wrong} with a violation, ${orders} requests, ${events} events, ${(virtualMs / 3_600_000).toFixed(1)} h of chain time in ${secondsSince(beganMs)} s`;
}
