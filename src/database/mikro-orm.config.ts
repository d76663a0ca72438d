import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type EntityClass, type EntitySchema, type MigrationObject } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { CONNECTION_LIMITS } from './connection-limits';
import { clientOf } from './database-hosts';
import { waitWhereConnectionsAreScarce } from './scarce-connections';
import { urlsOfHosts } from '../../config/database-urls';
import { MIGRATIONS } from './migrations/migrations';

export interface OrmSettings {
  /** None for migrations, which are SQL. */
  readonly entities?: (EntityClass | EntitySchema)[];
  readonly migrations?: MigrationObject[];
  readonly limits?: typeof CONNECTION_LIMITS;
  readonly connections?: number;
  /** What each connection begins with. */
  readonly onConnect?: (client: Client) => Promise<void>;
}

/** One description of the database for the application, migrations and tests. */
export function ormOptions(databaseUrl: string, settings: OrmSettings = {}) {
  const { entities = [], migrations = MIGRATIONS, limits = CONNECTION_LIMITS, connections = 10, onConnect } = settings;
  return defineConfig({
    // For the name of the database; which host is asked is the client's choice.
    clientUrl: urlsOfHosts(databaseUrl)[0]!,
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    // Each is committed by itself, so that no lock of one outlives it.
    migrations: { migrationsList: migrations, snapshot: false, silent: true, allOrNothing: false },
    pool: { min: 0, max: connections },
    driverOptions: {
      ...limits,
      application_name: 'energy-delegation (orm)',
      Client: clientOf(databaseUrl),
      ...(onConnect && { onConnect }),
      onPoolCreated: waitWhereConnectionsAreScarce,
    },
  });
}
