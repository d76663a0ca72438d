import { openMachine } from './database/machine';
import { makePlan } from './world/make-plan';
import type { Plan } from './world/plan';
import { type History, World } from './world/world';

const { requirePlanted } = require('./source-loader.cjs') as { requirePlanted: () => void };

export interface Job {
  readonly id: number;
  readonly databaseUrl: string;
  /** A seed's own plan, or a shorter one. */
  readonly plan?: Plan;
  readonly seed: number;
}

export interface Done {
  readonly id: number;
  readonly history?: History;
  readonly failure?: string;
}

let machine: ReturnType<typeof openMachine> | null = null;

process.on('message', (job: Job) => {
  void carryOut(job).then(
    (history) => process.send!({ id: job.id, history } satisfies Done),
    (error: unknown) =>
      process.send!({
        id: job.id,
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies Done),
  );
});
/** Rejections in the history under way. */
let unhandled: string[] = [];
// In production such a promise, that no code awaits, ends the process.
process.on('unhandledRejection', (error) => {
  unhandled.push(`a promise that nobody waits for: ${error instanceof Error ? error.stack : String(error)}`);
});
process.on('disconnect', () => process.exit(0));

async function carryOut({ databaseUrl, plan, seed }: Job): Promise<History> {
  machine ??= openMachine(databaseUrl);
  requirePlanted();
  unhandled = [];
  const history = await World.run(plan ?? makePlan(seed), await machine);
  const violations = [...history.violations, ...unhandled];
  return {
    ...history,
    violations,
    lines: violations.length > 0 || process.env['SIMULATE_LOG'] === 'on' ? history.lines : [],
  };
}
