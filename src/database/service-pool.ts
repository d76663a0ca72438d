import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, TypeOverrides } from 'pg';
import { CONNECTION_LIMITS } from './connection-limits';
import { CorkedSocket } from './corked-socket';
import { clientOf, isAtStandby } from './database-hosts';
import { waitWhereConnectionsAreScarce } from './scarce-connections';

const INT8_OID = 20;

const CONNECTIONS = 20;
/** For statements by themselves, which read above all: no transaction keeps a look at a balance waiting. */
const ONE_FOR_READS_OF = 5;

/** The connections behind `Sql`. */
export class ServicePool extends Pool implements OnApplicationShutdown {
  constructor(databaseUrl: string) {
    const types = new TypeOverrides();
    types.setTypeParser(INT8_OID, (text) => BigInt(text));
    super({
      ...CONNECTION_LIMITS,
      Client: clientOf(databaseUrl),
      application_name: 'energy-delegation',
      max: CONNECTIONS,
      idleTimeoutMillis: 30_000,
      pipeline: true,
      stream: () => new CorkedSocket(),
      types,
    });
    // Without a listener, a connection that the server drops would end the process. The pool itself listens only while the connection is
    // idle.
    const logger = new Logger('Database');
    this.on('connect', (client) => {
      client.on('error', (error) => logger.warn(`A connection was lost: ${error.message}`));
    });
    this.on('error', () => undefined);
    waitWhereConnectionsAreScarce(this);
    // What it reads may be old by now: another server takes the writes.
    this.on('release', (_error, client) => {
      if (isAtStandby(client)) void client.end();
    });
  }

  /** At a time; fewer where the server gives fewer connections. */
  get mostTransactions(): number {
    const { max } = this.options;
    return Math.max(1, max - Math.ceil(max / ONE_FOR_READS_OF));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.end();
  }
}
