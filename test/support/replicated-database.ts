import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Cluster, openCluster } from '../../src/database/embedded/cluster';
import type { PidFile } from '../../src/database/embedded/pid-file';
import { ensurePostmaster, stopPostmaster } from '../../src/database/embedded/postmaster';
import { until } from './until';

const PRIMARY = { wal_level: 'replica', synchronous_commit: 'on', max_connections: '100' };
const SYNCHRONOUS = { synchronous_standby_names: '*' };
const REPLICATION_ROLE = 'replicating';
const STANDBY = { hot_standby: 'on', synchronous_commit: 'on', max_connections: '100' };

interface Server {
  readonly cluster: Cluster;
  readonly postmaster: PidFile;
}

/** A primary and a standby, both real, on loopback. If it is synchronous, no commit is acknowledged before the standby has it on its disk. */
export class ReplicatedDatabase {
  private constructor(
    private readonly directories: readonly string[],
    private readonly primary: Server,
    private readonly standby: Server,
  ) {}

  static async open({ synchronous = true } = {}): Promise<ReplicatedDatabase> {
    const directories = [temporaryDirectory(), temporaryDirectory()] as const;
    const cluster = await openCluster(directories[0]);
    const copy = await openCluster(directories[1]);
    becomeCopy(copy, cluster);
    const settings = { ...PRIMARY, ...(synchronous && SYNCHRONOUS) };
    const primary = { cluster, postmaster: await ensurePostmaster(cluster, settings) };
    await ask(
      primary,
      `set synchronous_commit = local; create role ${REPLICATION_ROLE} replication login password '${cluster.password}'`,
    );
    const info = `host=127.0.0.1 port=${primary.postmaster.port} user=${REPLICATION_ROLE} password=${cluster.password} application_name=standby`;
    const standby = {
      cluster: { ...copy, password: cluster.password },
      postmaster: await ensurePostmaster(copy, { ...STANDBY, primary_conninfo: info }),
    };
    const database = new ReplicatedDatabase(directories, primary, standby);
    await until('the standby to follow', async () => {
      const condition = synchronous ? `sync_state = 'sync'` : `state = 'streaming'`;
      const rows = await ask(primary, `select 1 from pg_stat_replication where ${condition}`);
      return rows.length === 1;
    });
    return database;
  }

  /** Names both servers, the standby first: so that it takes a look at both to find the primary. */
  get url(): string {
    const { password } = this.primary.cluster;
    const hosts = [this.standby, this.primary].map(({ postmaster }) => `127.0.0.1:${postmaster.port}`).join(',');
    return `postgresql://postgres:${password}@${hosts}/postgres?target_session_attrs=read-write`;
  }

  get standbyUrl(): string {
    return urlOf(this.standby);
  }

  /** As when its machine loses power: no process of it says good-bye. */
  killPrimary(): void {
    process.kill(this.primary.postmaster.pid, 'SIGKILL');
  }

  /** From now on the primary goes on alone: what it commits is lost with it. */
  async cutStandby(): Promise<void> {
    await ask(this.primary, `alter role ${REPLICATION_ROLE} nologin`);
    await until('the standby to have that', async () => {
      const rows = await ask(
        this.standby,
        `select 1 from pg_roles where rolname = '${REPLICATION_ROLE}' and not rolcanlogin`,
      );
      return rows.length === 1;
    });
    await ask(this.primary, 'select pg_terminate_backend(pid) from pg_stat_replication');
    await until('the standby to be cut off', async () => {
      return (await ask(this.primary, 'select 1 from pg_stat_replication')).length === 0;
    });
  }

  async promoteStandby(): Promise<void> {
    await ask(this.standby, 'select pg_promote()');
  }

  async close(): Promise<void> {
    for (const { cluster, postmaster } of [this.primary, this.standby]) await stopPostmaster(cluster, postmaster);
    for (const directory of this.directories) rmSync(directory, { recursive: true, force: true });
  }
}

async function ask(server: Server, text: string): Promise<unknown[]> {
  const client = new Client(urlOf(server));
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function urlOf({ cluster, postmaster }: Server): string {
  return `postgresql://postgres:${cluster.password}@127.0.0.1:${postmaster.port}/postgres`;
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'replicated-'));
  // Root's server runs as another user, who must get in.
  chmodSync(directory, 0o755);
  return directory;
}

/** What pg_basebackup would do, of a server that has not been started yet. */
function becomeCopy({ dataDirectory, runAs }: Cluster, original: Cluster): void {
  rmSync(dataDirectory, { recursive: true });
  cpSync(original.dataDirectory, dataDirectory, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(dataDirectory, 'standby.signal'), '');
  own(dataDirectory, runAs);
}

function own(path: string, { uid, gid }: Cluster['runAs']): void {
  if (uid === undefined || gid === undefined || !existsSync(path)) return;
  chownSync(path, uid, gid);
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) own(join(path, name), { uid, gid });
}
