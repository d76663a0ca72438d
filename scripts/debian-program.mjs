import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache');

/**
 * The path of a program: the machine's own, else out of Debian's package, which is unpacked here and not installed. Undefined where there
 * is neither. `version`: how it is asked whether it works.
 */
export function debianProgram({ name, package: from, path, version }) {
  const folder = join(CACHE, from);
  const works = (program) => spawnSync(program, [version], { stdio: 'ignore' }).status === 0;
  const found = () => [name, join(folder, path)].find(works);
  return found() ?? (unpack(folder, from), found());
}

function unpack(folder, from) {
  if (!existsSync('/usr/bin/apt-get')) return;
  mkdirSync(folder, { recursive: true });
  const run = (command, ...args) => spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (run('apt-get', '-qq', 'download', from).status !== 0) {
    // No list of packages yet.
    run('apt-get', '-qq', 'update');
    run('apt-get', '-qq', 'download', from);
  }
  const file = readdirSync(folder).find((one) => one.endsWith('.deb'));
  if (file) run('dpkg', '-x', file, '.');
}
