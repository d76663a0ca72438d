import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EMBEDDED_SERVER_LOCK } from '../advisory-locks';
import { type Cluster, openCluster } from './cluster';
import type { PidFile } from './pid-file';
import { ensurePostmaster, stopPostmaster } from './postmaster';

const ACQUIRE_TIMEOUT_MS = 60_000;
const WRONG_PASSWORD = '28P01';

/** A use of the embedded server. Service, command line and tests may use one server at once, in any order of coming and going. */
export interface EmbeddedPostgres {
  readonly url: string;
  readonly dataDirectory: string;
  /** Stops the server when nobody else uses it. */
  release(): Promise<void>;
}

export async function acquireEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir);
  const deadline = performance.now() + ACQUIRE_TIMEOUT_MS;
  let reason: unknown;
  while (performance.now() < deadline) {
    const postmaster = await ensurePostmaster(cluster, settings);
    const client = new Client({
      connectionString: urlOf(cluster, postmaster),
      application_name: 'embedded server use',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`select pg_advisory_lock_shared(${EMBEDDED_SERVER_LOCK})`);
      return {
        url: urlOf(cluster, postmaster),
        dataDirectory: cluster.dataDirectory,
        release: () => leave(cluster, postmaster, client),
      };
    } catch (error) {
      // The last user before us is stopping the server: the next round starts it again.
      if ((error as { code?: string }).code === WRONG_PASSWORD) throw error;
      reason = error;
      await client.end().catch(() => undefined);
      await sleep(20);
    }
  }
  throw new Error('The embedded PostgreSQL runs but takes no connection.', { cause: reason });
}

async function leave(cluster: Cluster, postmaster: PidFile, client: Client): Promise<void> {
  if (await isLastUser(client)) await stopPostmaster(cluster, postmaster);
  await client.end().catch(() => undefined);
}

async function isLastUser(client: Client): Promise<boolean> {
  try {
    // First the shared lock goes: of two that leave at once, each would otherwise be stopped by the other's.
    await client.query(`select pg_advisory_unlock_shared(${EMBEDDED_SERVER_LOCK})`);
    const { rows } = await client.query<{ last: boolean }>(
      `select pg_try_advisory_lock(${EMBEDDED_SERVER_LOCK}) as last`,
    );
    return rows[0]?.last === true;
  } catch {
    return false;
  }
}

function urlOf({ password }: Cluster, { port }: PidFile): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
}
