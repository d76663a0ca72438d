import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findPidFile, isServer } from '../../../src/database/embedded/pid-file';
import { real } from '../../support/virtual-time/real-world';

/** Begins the name of the directory that a server and all of its data lie in; the id of the process that started it follows. */
export const PREFIX = 'energy-delegation-simulator-';
/** A server that was being started when its owner ended has written its id by then. */
const STARTING_MS = 2_000;
const POLL_MS = 20;

/** Ends the server in this directory, whatever it is doing, and removes all of it. */
export async function endServer(directory: string): Promise<void> {
  const data = join(directory, 'postgres', 'data');
  const untilMs = real.performanceNow() + STARTING_MS;
  let found = findServer(data);
  while (found === null && existsSync(directory) && real.performanceNow() < untilMs) {
    await real.pause(POLL_MS);
    found = findServer(data);
  }
  if (found !== null) {
    // At once: nothing of it is kept.
    process.kill(found, 'SIGQUIT');
    while (isServer(found, data)) await real.pause(POLL_MS);
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** What runs have left that were ended together with their guards. */
export async function endLeftServers(): Promise<void> {
  const left = readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter(
      (directory) => statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.() && !isOwned(directory),
    );
  await Promise.all(left.map(endServer));
}

/** A process id comes round again: only a process that is a simulator is the owner. */
function isOwned(directory: string): boolean {
  try {
    const pid = Number(/^\d+/.exec(basename(directory).slice(PREFIX.length)));
    process.kill(pid, 0);
    return process.platform !== 'linux' || /simulate|jest/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

function findServer(data: string): number | null {
  const pid = findPidFile(data)?.pid;
  return pid && isServer(pid, data) ? pid : null;
}
