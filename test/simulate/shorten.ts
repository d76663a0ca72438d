import type { Plan } from './world/plan';
import type { History } from './world/world';

export interface Short {
  readonly plan: Plan;
  /** What concerns the orders that the violation names, and what went wrong around them. */
  readonly lines: readonly string[];
}

interface Runner {
  run(seed: number, plan?: Plan): Promise<History>;
}

const MOST_RUNS = 60;
const MOST_LINES = 150;

/** Leaves out actions, half of them at a time and then fewer, as long as the same is wrong without them. */
export async function shorten(worker: Runner, plan: Plan, history: History): Promise<Short> {
  let [shortest, shown] = [plan, history];
  const wrong = new Set(history.violations.map(kindOf));
  let runs = 0;
  for (let size = Math.ceil(plan.actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < shortest.actions.length && runs < MOST_RUNS;) {
      const actions = shortest.actions.filter((_, index) => index < at || index >= at + size);
      const tried = { ...shortest, actions };
      runs += 1;
      const result = await worker.run(plan.seed, tried).catch(() => null);
      if (result?.violations.some((what) => wrong.has(kindOf(what)))) [shortest, shown] = [tried, result];
      else at += size;
    }
  }
  return { plan: shortest, lines: concerning(shown) };
}

/** The kind of the violation, without its subject. */
function kindOf(violation: string): string {
  return violation
    .split('\n')[0]!
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}|[\da-f]{64}|T[1-9A-HJ-NP-Za-km-z]{33}|\d+/g, '#');
}

function concerning({ lines, violations }: History): string[] {
  const ids = new Set(violations.join(' ').match(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}/g));
  const told = lines.filter(
    (line) =>
      / (\*\*|told|fork|VIOLATION|stranger) |is killed|is up|loses|dead/.test(line) ||
      [...ids].some((id) => line.includes(id)),
  );
  return told.length > MOST_LINES ? [`(${told.length - MOST_LINES} lines more)`, ...told.slice(-MOST_LINES)] : told;
}
