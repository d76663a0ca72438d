// Prints the path of a Chromium for the panel's tests. Debian's package is installed when there is none and root may do it.
import { existsSync } from 'node:fs';
import { aptInstall } from './apt-install.mjs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const found = () => CANDIDATES.find((path) => existsSync(path));

if (!found()) aptInstall('chromium', 'fonts-noto-cjk');
const path = found();
if (!path) {
  process.stderr.write('Chromium is missing: install it (Debian and Ubuntu: apt-get install chromium).\n');
  process.exit(1);
}
process.stdout.write(`${path}\n`);
