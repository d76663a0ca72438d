import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const APT = ['-o', 'DPkg::Lock::Timeout=300', '-y', '-qq'];

function apt(...args) {
  const stdio = ['ignore', 'ignore', 'inherit'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', [...APT, ...args], { stdio, env });
}

/** Installs packages where that is possible: on Debian, as root. Nothing is said of a failure: the caller looks for what it needs. */
export function aptInstall(...packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stderr.write(`Installing ${packages.join(' ')} ...\n`);
  apt('update');
  apt('install', '--no-install-recommends', ...packages);
}
