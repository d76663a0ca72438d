import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, TypeOverrides } from 'pg';
import { CONNECTION_LIMITS } from './connection-limits';

const INT8_OID = 20;

/** The connections behind `Sql`. */
export class ServicePool extends Pool implements OnApplicationShutdown {
  constructor(databaseUrl: string) {
    const types = new TypeOverrides();
    types.setTypeParser(INT8_OID, (text) => BigInt(text));
    super({
      ...CONNECTION_LIMITS,
      connectionString: databaseUrl,
      application_name: 'energy-delegation',
      max: 20,
      idleTimeoutMillis: 30_000,
      types,
    });
    // Without a listener, a connection that the server drops while nobody uses it would end the process.
    this.on('error', (error) => new Logger('Database').warn(`An idle connection was lost: ${error.message}`));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.end();
  }
}
