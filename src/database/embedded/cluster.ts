import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  statSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries, SYSTEM_DIRECTORY } from './binaries';
import { canReach, chooseRunAs, type RunAs } from './run-as';

const execute = promisify(execFile);

/** An initialised data directory with the password of its one user. */
export interface Cluster {
  readonly dataDirectory: string;
  readonly password: string;
  readonly logFile: string;
  readonly postgres: string;
  readonly runAs: RunAs;
}

/** The cluster under `DATA_DIR/postgres`, initialised at the first start. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const found = await findCluster(dataDir);
  if (found) return found;
  makeDataDirectory(dataDir);
  const home = clusterHome(dataDir);
  const runAs = await chooseRunAs(join(home, 'data'));
  await initialise(home, dataDir, findBinaries(runAs).initdb, runAs);
  return (await findCluster(dataDir))!;
}

/** The cluster that a start has initialised under `DATA_DIR/postgres`; null where none has. */
export async function findCluster(dataDir: string): Promise<Cluster | null> {
  const home = clusterHome(dataDir);
  if (!existsSync(home)) return null;
  const runAs = await chooseRunAs(join(home, 'data'));
  const place = realpathSync(home);
  return {
    dataDirectory: join(place, 'data'),
    password: readPassword(place),
    logFile: join(dataDir, 'postgres.log'),
    postgres: findBinaries(runAs).postgres,
    runAs,
  };
}

export function clusterHome(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Root's server runs as another user, who must get through; other users have no business in it. */
const DATA_DIRECTORY_MODE = process.getuid?.() === 0 ? 0o711 : 0o700;

/** Level by level: asked for all of them in one call, Node never returns under some file systems (/proc). One that is there stays as it is. */
function makeDataDirectory(path: string, mode = DATA_DIRECTORY_MODE): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (path !== dirname(path)) makeDataDirectory(dirname(path), 0o777);
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (error instanceof DataDirectoryError) throw error;
    throw new DataDirectoryError(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}

class DataDirectoryError extends Error {}

/**
 * Built in a place of its own and put under its name in one step, so that a crash leaves no half cluster there and
 * of several first starts exactly one cluster stays.
 */
async function initialise(home: string, dataDir: string, initdb: string, runAs: RunAs): Promise<void> {
  const reachable = canReach(dataDir, runAs);
  const parent = reachable ? dataDir : SYSTEM_DIRECTORY;
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  const staging = mkdtempSync(join(parent, 'cluster-'));
  try {
    await fill(staging, initdb, runAs);
    if (reachable) renameSync(staging, home);
    else symlinkSync(staging, home);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}

async function fill(staging: string, initdb: string, { uid, gid }: RunAs): Promise<void> {
  const data = join(staging, 'data');
  const passwordFile = join(staging, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) {
    chmodSync(staging, 0o711);
    for (const path of [data, passwordFile]) chownSync(path, uid, gid);
  }
  const cluster = [`--pgdata=${data}`, '--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  // The same on every machine, whatever locales it has.
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await execute(initdb, [...cluster, ...text], { uid, gid, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } });
}

function readPassword(place: string): string {
  try {
    return readFileSync(join(place, 'password'), 'utf8');
  } catch (error) {
    throw new Error(`The embedded database in ${place} belongs to another user or is damaged: no password to read.`, {
      cause: error,
    });
  }
}
