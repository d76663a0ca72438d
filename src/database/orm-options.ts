import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { CONNECTION_LIMITS } from './connection-limits';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations/migrations';

/** One description of the database for the application, migrations and tests. */
export function ormOptions(databaseUrl: string) {
  return defineConfig({
    clientUrl: databaseUrl,
    entities: ENTITIES,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, silent: true },
    pool: { min: 0, max: 10 },
    driverOptions: { ...CONNECTION_LIMITS, application_name: 'energy-delegation (orm)' },
  });
}
