// A clock that runs faster for whole processes, PostgreSQL included: dates, timers, time-outs. By libfaketime, out of Debian's package; nothing is installed.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchDirectory } from '../bench/servers.mjs';

const CACHE = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules', '.cache', 'faketime');
const LIBRARY = 'libfaketimeMT.so.1';

/** From now on `speed` seconds pass in each second, for every process that is started with `env()`. */
export class FastClock {
  constructor(speed) {
    this.speed = speed;
    this.startedMs = Date.now();
    // Where a server that runs as another user can read it.
    this.library = join(scratchDirectory(), LIBRARY);
    cpSync(ensureLibrary(), this.library);
    chmodSync(this.library, 0o644);
  }

  /** Milliseconds of the fast clock since it began. */
  get passedMs() {
    return (Date.now() - this.startedMs) * this.speed;
  }

  /** Each process counts from its own start, so what has been won until then is put before it. */
  env() {
    const wonSeconds = (this.passedMs - (Date.now() - this.startedMs)) / 1_000;
    return {
      LD_PRELOAD: this.library,
      FAKETIME: `+${wonSeconds.toFixed(3)}s x${this.speed}`,
      FAKETIME_DISABLE_SHM: '1',
    };
  }
}

function ensureLibrary() {
  const found = findLibrary();
  if (found) return found;
  mkdirSync(CACHE, { recursive: true });
  const run = (command, ...args) => spawnSync(command, args, { cwd: CACHE, stdio: ['ignore', 'ignore', 'inherit'] });
  if (run('apt-get', '-qq', 'download', 'libfaketime').status !== 0) {
    // No list of packages yet.
    run('apt-get', '-qq', 'update');
    run('apt-get', '-qq', 'download', 'libfaketime');
  }
  for (const file of readdirSync(CACHE).filter((name) => name.endsWith('.deb'))) run('dpkg', '-x', file, '.');
  const unpacked = findLibrary();
  if (!unpacked) throw new Error('libfaketime is missing (Debian and Ubuntu: apt-get install libfaketime).');
  return unpacked;
}

function findLibrary() {
  const roots = [join(CACHE, 'usr', 'lib'), '/usr/lib'].filter(existsSync);
  const folders = roots.flatMap((root) => [root, ...readdirSync(root).map((name) => join(root, name))]);
  return folders.map((folder) => join(folder, 'faketime', LIBRARY)).find(existsSync);
}
