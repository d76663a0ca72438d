import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type SimServer, startServer } from './database/server';
import { findPlaces, runPlanted } from './planted/run-planted';
import { replay, runSeeds } from './run-seeds';
import { Worker } from './worker-pool';

const USAGE = `npm run simulate -- [options]
  --seeds N     so many histories (100)
  --seed S      from this seed on; alone: this one, twice, and with --bug NAME as that bug makes it
  --planted     each planted bug until it is caught; with --bug NAME that one alone, with --places none is run
  --minutes M   begins no further history then
  --workers N   processes (2)
  --log         the log of the one seed in any case`;

let isInterrupted = false;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      seed: { type: 'string' },
      planted: { type: 'boolean', default: false },
      bug: { type: 'string' },
      places: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      workers: { type: 'string', default: '2' },
      log: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  if (values.places) return findPlaces();
  const servers: SimServer[] = [];
  const stop = () => Promise.all(servers.map((server) => server.stop()));
  // Those that are just being started are the guard's (server.ts).
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      isInterrupted = true;
      Worker.endAll();
      void stop().finally(() => process.exit(130));
    });
  const workers = Number(values.workers);
  const start = async (_: unknown, at: number) =>
    void servers.push(await startServer(workers <= availableParallelism() ? at : null));
  await Promise.all(Array.from({ length: workers }, start));
  try {
    if (values.planted) return await runPlanted(servers, values.bug === undefined ? undefined : [values.bug]);
    if (values.seed !== undefined && values.seeds === undefined)
      return await replay(servers[0]!, Number(values.seed), values.log, values.bug);
    const [first, count, minutes] = [values.seed ?? 1, values.seeds ?? 100, values.minutes ?? Infinity].map(Number);
    return await runSeeds(servers, { first: first!, count: count!, forMs: minutes! * 60_000 });
  } finally {
    await stop();
  }
}

main().then(
  (isRight) => isInterrupted || process.exit(isRight ? 0 : 1),
  (error: unknown) => {
    if (isInterrupted) return;
    console.error(error);
    process.exit(1);
  },
);
