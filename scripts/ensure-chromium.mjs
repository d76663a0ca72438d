// Prints the path of a Chromium for the panel's tests. Debian's package is installed when there is none and root may do it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const APT = ['apt-get', '-o', 'DPkg::Lock::Timeout=300', '-y', '-qq'];

const found = () => CANDIDATES.find((path) => existsSync(path));

function install() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stderr.write('Installing chromium ...\n');
  for (const args of [['update'], ['install', '--no-install-recommends', 'chromium', 'fonts-noto-cjk']]) {
    spawnSync(APT[0], [...APT.slice(1), ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
}

if (!found()) install();
const path = found();
if (!path) {
  process.stderr.write('There is no chromium: install it (Debian and Ubuntu: apt-get install chromium).\n');
  process.exit(1);
}
process.stdout.write(`${path}\n`);
