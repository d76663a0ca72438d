import { callbackify } from 'node:util';
import { Logger } from '@nestjs/common';
import { DatabaseError, type Pool, type PoolClient } from 'pg';

/** SQLSTATE: `max_connections`, or the limit of the role or the database. */
const TOO_MANY_CONNECTIONS = '53300';
/** Other pools of the process, a command and a backup need a connection, too. */
const LEFT_TO_OTHERS = 2;
/** One for a transaction and one for what is read beside it. */
const LEAST = 2;
/** The server may give more again: other clients come and go. */
const REMEMBERED_MS = 30_000;
const PAUSE_MS = 50;

type Callback = (error: Error | null, client: PoolClient) => void;

/**
 * Where the server gives no further connection, calls wait for those that the pool has, as at its own limit; a call that finds none asks
 * until the pool's time for a connection is over. Without it, each call beyond the server's limit would fail.
 */
export function waitWhereConnectionsAreScarce(pool: Pool): void {
  const logger = new Logger('Database');
  const connectOnce = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const { max: most, connectionTimeoutMillis: longestMs = 0 } = pool.options;
  let restore: NodeJS.Timeout | undefined;
  let isSaid = false;

  function shrink(): void {
    if (!isSaid)
      logger.warn(
        'The server gives no further connection (max_connections, or the limit of the role or the database): calls wait for those that are open',
      );
    isSaid = true;
    clearTimeout(restore);
    pool.options.max = Math.max(LEAST, Math.min(pool.options.max, pool.totalCount - LEFT_TO_OTHERS));
    restore = setTimeout(() => {
      pool.options.max = most;
    }, REMEMBERED_MS);
    restore.unref();
  }

  async function connect(): Promise<PoolClient> {
    const endMs = performance.now() + longestMs;
    for (;;) {
      try {
        return await connectOnce();
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.code !== TOO_MANY_CONNECTIONS || performance.now() > endMs)
          throw error;
        shrink();
        if (pool.totalCount < pool.options.max) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  // The pool's own statements ask by callback.
  const connectBack = callbackify(connect);
  pool.connect = ((callback?: Callback) => (callback ? connectBack(callback) : connect())) as Pool['connect'];
  pool.on('release', (_error, client) => {
    if (pool.totalCount > pool.options.max) void client.end();
  });
}
