import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type SimServer, startServer } from './database/server';
import { readOptions, USAGE, UsageError, type Wanted } from './options';
import { findPlaces, runPlanted } from './planted/run-planted';
import { replay, runSeeds } from './run-seeds';
import { Worker } from './worker-pool';
import { makePlan } from './world/make-plan';
import type { Plan } from './world/plan';

let isInterrupted = false;

async function main(): Promise<boolean> {
  const { wanted, workers } = readOptions(process.argv.slice(2));
  if (wanted.mode === 'help') {
    console.log(USAGE);
    return true;
  }
  return wanted.mode === 'places' ? findPlaces() : onServers(workers, wanted);
}

type Run = Exclude<Wanted, { mode: 'help' | 'places' }>;

async function onServers(workers: number, wanted: Run): Promise<boolean> {
  const servers: SimServer[] = [];
  const stop = () => Promise.all(servers.map((server) => server.stop()));
  // Those that are just being started are the guard's (server.ts).
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      isInterrupted = true;
      Worker.endAll();
      void stop().finally(() => process.exit(130));
    });
  const start = async (_: unknown, at: number) =>
    void servers.push(await startServer(workers <= availableParallelism() ? at : null));
  await Promise.all(Array.from({ length: workers }, start));
  try {
    return await carryOut(wanted, servers);
  } finally {
    await stop();
  }
}

function carryOut(wanted: Run, servers: readonly SimServer[]): Promise<boolean> {
  const [first] = servers;
  if (wanted.mode === 'planted') return runPlanted(servers, wanted.bug === undefined ? undefined : [wanted.bug]);
  if (wanted.mode === 'replay') return replay(first!, makePlan(wanted.seed), wanted.showLog, wanted.bug);
  if (wanted.mode === 'plan') return replay(first!, readPlan(wanted.file), wanted.showLog, wanted.bug);
  return runSeeds(servers, { first: wanted.first, count: wanted.count, forMs: wanted.minutes * 60_000 });
}

function readPlan(file: string): Plan {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Plan;
  } catch (error) {
    throw new UsageError(`--plan: ${(error as Error).message}`);
  }
}

main().then(
  (isRight) => isInterrupted || process.exit(isRight ? 0 : 1),
  (error: unknown) => {
    if (isInterrupted) return;
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${error.message}\n${USAGE}` : error);
    process.exit(isUsage ? 2 : 1);
  },
);
