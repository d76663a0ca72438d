import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fchmodSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster';
import { findPidFile, isServer, isStale, type PidFile, removeStale } from './pid-file';
import { choosePort } from './server-port';

const POLL_MS = 20;
const START_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 8;
const LARGEST_LOG_BYTES = 16 * 1024 * 1024;

/** The server that runs on the cluster, started when there is none. `settings` are postgresql.conf parameters. */
export async function ensurePostmaster(cluster: Cluster, settings: Record<string, string>): Promise<PidFile> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  let attempts = 0;
  while (performance.now() < deadline) {
    const found = findPidFile(cluster.dataDirectory);
    if (found && isStale(found, cluster.dataDirectory)) {
      removeStale(found, cluster.dataDirectory);
    } else if (found?.ready) {
      return found;
    } else if (found) {
      await sleep(POLL_MS);
    } else {
      // Backends of a server that was killed hold its shared memory for a moment; a port may be taken meanwhile.
      if (attempts > 0) await sleep(100 * attempts);
      if (++attempts > START_ATTEMPTS) break;
      await start(cluster, settings);
    }
  }
  throw new Error(
    `The embedded PostgreSQL does not start; the end of ${cluster.logFile}:\n${readEndOf(cluster.logFile)}`,
  );
}

/** Ends every session and returns once the server is gone. `writes`: whether it can still write down how it ended. */
export async function stopPostmaster({ dataDirectory }: Cluster, { pid }: PidFile, writes = true): Promise<void> {
  if (isServer(pid, dataDirectory)) process.kill(pid, writes ? 'SIGINT' : 'SIGQUIT');
  while (isServer(pid, dataDirectory)) await sleep(POLL_MS);
}

/**
 * In a session of its own, so that neither a crash of ours nor a Ctrl-C in the terminal takes the database from a service that
 * still finishes its work. Returns when a server is ready or ours has ended: of two together PostgreSQL itself lets one run.
 */
async function start(cluster: Cluster, settings: Record<string, string>): Promise<void> {
  const log = openLog(cluster.logFile);
  const parameters = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const flags = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const port = await choosePort(cluster.dataDirectory);
  const server = spawn(cluster.postgres, ['-D', cluster.dataDirectory, '-p', String(port), ...flags], {
    ...cluster.runAs,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
  });
  closeSync(log);
  const waiting = new AbortController();
  const ready = pollUntil(() => findPidFile(cluster.dataDirectory)?.ready === true, waiting.signal);
  try {
    await Promise.race([once(server, 'exit'), ready]);
  } finally {
    waiting.abort();
    server.unref();
  }
}

async function pollUntil(condition: () => boolean, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !condition()) await sleep(POLL_MS);
}

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(path, size > LARGEST_LOG_BYTES ? 'w' : 'a', 0o600);
  fchmodSync(log, 0o600);
  return log;
}

function readEndOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}
