import { parseArgs } from 'node:util';
import { startServer } from './database/server';
import { findPlaces, runPlanted } from './planted/run-planted';
import { replay, runSeeds } from './run-seeds';

const USAGE = `npm run simulate -- [options]
  --seeds N     so many histories (100)
  --seed S      from this seed on; alone: this one, twice, and with --bug NAME as that bug makes it
  --planted     each planted bug until it is caught; with --bug NAME that one alone, with --places none is run
  --workers N   processes (2)
  --log         the log of the one seed in any case`;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      seed: { type: 'string' },
      planted: { type: 'boolean', default: false },
      bug: { type: 'string' },
      places: { type: 'boolean', default: false },
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
  const servers = await Promise.all(Array.from({ length: Number(values.workers) }, startServer));
  // A server outlives whoever started it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void Promise.all(servers.map((server) => server.stop())).then(() => process.exit(1)));
  try {
    const databaseUrls = servers.map(({ databaseUrl }) => databaseUrl);
    if (values.planted) return await runPlanted(databaseUrls, values.bug);
    if (values.seed !== undefined && values.seeds === undefined)
      return await replay(databaseUrls[0]!, Number(values.seed), values.log, values.bug);
    return await runSeeds(databaseUrls, Number(values.seed ?? 1), Number(values.seeds ?? 100));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

main().then(
  (isRight) => process.exit(isRight ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
