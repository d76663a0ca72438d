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
// A promise of the service that nobody waits for would end its process.
process.on('unhandledRejection', (error) => {
  console.error('unhandled', error);
});
process.on('disconnect', () => process.exit(0));

async function carryOut({ databaseUrl, plan, seed }: Job): Promise<History> {
  machine ??= openMachine(databaseUrl);
  requirePlanted();
  const history = await World.run(plan ?? makePlan(seed), await machine);
  return {
    ...history,
    lines: history.violations.length > 0 || process.env['SIMULATE_LOG'] === 'on' ? history.lines : [],
  };
}
