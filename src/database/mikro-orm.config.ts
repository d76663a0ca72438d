import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { CONNECTION_LIMITS } from './connection-limits';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations/migrations';

/** One description of the database for the application, migrations and tests. */
export function ormOptions(databaseUrl: string, limits = CONNECTION_LIMITS, connections = 10) {
  return defineConfig({
    clientUrl: databaseUrl,
    entities: ENTITIES,
    extensions: [Migrator],
    // Each is committed by itself, so that no lock of one outlives it.
    migrations: { migrationsList: MIGRATIONS, snapshot: false, silent: true, allOrNothing: false },
    // The archive has the columns of the tables that it is for: a test compares them.
    schemaGenerator: { skipTables: [/^archived_/], skipViews: [/^all_/] },
    pool: { min: 0, max: connections },
    driverOptions: { ...limits, application_name: 'energy-delegation (orm)' },
  });
}
