import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from '../bench/servers.mjs';

const NAME = /^energy-delegation-soak-(\d+)-/;

/** One folder for all that this soak puts on the disk, named after its process. What a killed one has left goes now: its PostgreSQL ends by itself when it misses its files. */
export function openScratch() {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) remove(join(tmpdir(), name));
  }
  const directory = mkdtempSync(join(tmpdir(), `energy-delegation-soak-${process.pid}-`));
  // Root's server runs as another user, who must get in.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  onEnd(async () => remove(directory));
}

/** A server that is about to end may still write. */
function remove(directory) {
  rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
