import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type MigrationObject } from '@mikro-orm/postgresql';
import { CONNECTION_LIMITS } from './connection-limits';
import { clientOf } from './database-hosts';
import { urlsOfHosts } from './database-urls';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations/migrations';

/** One description of the database for the application, migrations and tests. */
export function ormOptions(
  databaseUrl: string,
  limits = CONNECTION_LIMITS,
  connections = 10,
  migrationsList: MigrationObject[] = MIGRATIONS,
) {
  return defineConfig({
    // For the name of the database; which host is asked is the client's choice.
    clientUrl: urlsOfHosts(databaseUrl)[0]!,
    entities: ENTITIES,
    extensions: [Migrator],
    // Each is committed by itself, so that no lock of one outlives it.
    migrations: { migrationsList, snapshot: false, silent: true, allOrNothing: false },
    pool: { min: 0, max: connections },
    driverOptions: { ...limits, application_name: 'energy-delegation (orm)', Client: clientOf(databaseUrl) },
  });
}
