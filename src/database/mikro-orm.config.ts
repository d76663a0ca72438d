import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { CONNECTION_LIMITS } from './connection-limits';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations/migrations';

/** One description of the database for the application, migrations and tests. */
export function ormOptions(databaseUrl: string, limits = CONNECTION_LIMITS) {
  return defineConfig({
    clientUrl: databaseUrl,
    entities: ENTITIES,
    extensions: [Migrator],
    // Each is committed by itself, so that no lock of one outlives it.
    migrations: { migrationsList: MIGRATIONS, snapshot: false, silent: true, allOrNothing: false },
    pool: { min: 0, max: 10 },
    driverOptions: { ...limits, application_name: 'energy-delegation (orm)' },
  });
}
