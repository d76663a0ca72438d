import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { EMBEDDED_SERVER_LOCK } from '../advisory-locks';
import { SessionClient } from '../session-client';
import { type Cluster, findCluster, openCluster } from './cluster';
import { findPidFile, type PidFile } from './pid-file';
import { ensurePostmaster, stopPostmaster } from './postmaster';

const ACQUIRE_TIMEOUT_MS = 60_000;
/** Between two tries to bring a lost server back: the disk may be full for hours. */
const LONGEST_PAUSE_MS = 10_000;
const WRONG_PASSWORD = '28P01';

/** A server, and the session whose shared lock says that we use it. */
interface Use {
  readonly postmaster: PidFile;
  readonly session: Client;
}

/** Initialised at the first use. */
export async function acquireEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  return acquireServer(await openCluster(dataDir), settings);
}

/** Null where no service has made one. */
export async function acquireExistingPostgres(dataDir: string): Promise<EmbeddedPostgres | null> {
  const cluster = await findCluster(dataDir);
  return cluster && acquireServer(cluster, {});
}

async function acquireServer(cluster: Cluster, settings: Record<string, string>): Promise<EmbeddedPostgres> {
  const server = new EmbeddedPostgres(cluster, settings);
  await server.acquire();
  return server;
}

/** A use of the embedded server. Service, command line and tests may use one server together, in any order of coming and going. */
export class EmbeddedPostgres {
  private readonly logger = new Logger('Database');
  private use: Use | null = null;
  private recovery: Promise<void> = Promise.resolve();
  private readonly released = new AbortController();

  constructor(
    private readonly cluster: Cluster,
    private readonly settings: Record<string, string>,
  ) {}

  get url(): string {
    return urlOf(this.cluster, this.use!.postmaster);
  }

  get dataDirectory(): string {
    return this.cluster.dataDirectory;
  }

  async acquire(): Promise<void> {
    const deadline = performance.now() + ACQUIRE_TIMEOUT_MS;
    let reason: unknown;
    while (performance.now() < deadline) {
      const postmaster = await ensurePostmaster(this.cluster, this.settings);
      try {
        const session = await lockShared(urlOf(this.cluster, postmaster));
        session.once('end', () => {
          this.recovery = this.recover();
        });
        this.use = { postmaster, session };
        return;
      } catch (error) {
        // The last user before us is stopping the server: the next round starts it again.
        if ((error as { code?: string }).code === WRONG_PASSWORD) throw error;
        reason = error;
        await sleep(20);
      }
    }
    throw new Error('The embedded PostgreSQL runs but takes no connection.', { cause: reason });
  }

  /** Stops the server when no other process uses it, or none can use it any more. */
  async release(): Promise<void> {
    this.released.abort();
    await this.recovery;
    const { session, postmaster } = this.use!;
    const isLast = await isLastUser(session);
    // Without its folder it may answer nothing any more, and no other process finds it.
    const isThere = findPidFile(this.cluster.dataDirectory)?.pid === postmaster.pid;
    if (isLast === true || (isLast === null && !isThere)) await stopPostmaster(this.cluster, postmaster, isThere);
    await session.end().catch(() => undefined);
  }

  /** The server crashed or was killed, or threw all sessions out: unlocked, it could also be stopped under us. */
  private async recover(): Promise<void> {
    if (this.released.signal.aborted) return;
    this.logger.warn('The embedded PostgreSQL was lost; it is started again.');
    const urlBefore = this.url;
    for (let pauseMs = 1_000; !(await this.tryToAcquire()); pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await sleep(pauseMs, undefined, { signal: this.released.signal }).catch(() => undefined);
      if (this.released.signal.aborted) return;
    }
    if (this.url !== urlBefore) this.logger.error('It came back on another port: restart the service.');
  }

  private async tryToAcquire(): Promise<boolean> {
    try {
      await this.acquire();
      return true;
    } catch (error) {
      this.logger.error(`${error instanceof Error ? error.message : String(error)}\nIt is tried again.`);
      return false;
    }
  }
}

async function lockShared(url: string): Promise<Client> {
  const session = new SessionClient({
    connectionString: url,
    application_name: 'embedded server use',
  });
  session.on('error', () => undefined);
  try {
    await session.connect();
    await session.query(`select pg_advisory_lock_shared(${EMBEDDED_SERVER_LOCK})`);
    await requireOpen(url);
    return session;
  } catch (error) {
    await session.end().catch(() => undefined);
    throw error;
  }
}

/**
 * A server that the last user stops ends that user's session, and with it the lock that we wait for: ours is ended a moment later. New
 * sessions are refused before any is ended.
 */
async function requireOpen(url: string): Promise<void> {
  const client = new SessionClient({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Null when the server does not say. */
async function isLastUser(session: Client): Promise<boolean | null> {
  try {
    // First the shared lock goes: of two that leave together, each would otherwise be stopped by the other's.
    await session.query(`select pg_advisory_unlock_shared(${EMBEDDED_SERVER_LOCK})`);
    const { rows } = await session.query<{ last: boolean }>(
      `select pg_try_advisory_lock(${EMBEDDED_SERVER_LOCK}) as last`,
    );
    return rows[0]?.last === true;
  } catch {
    return null;
  }
}

/** Without TLS, whatever PGSSLMODE of the environment asks of other servers. */
function urlOf({ password }: Cluster, { port }: PidFile): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=disable`;
}
