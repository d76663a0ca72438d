// Prints the path of a Chromium for the panel's tests. Debian's package is installed when there is none and root may do it.
// With --light it is installed also where there is a whole browser, which takes twice the processor time for the same pages.
import { existsSync } from 'node:fs';
import { aptInstall } from './apt-install.mjs';

/** Chromium without the windows of a browser: the same engine, network and history. */
const LIGHT = '/usr/bin/chromium-headless-shell';
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const found = () => [LIGHT, ...WHOLE].find((path) => existsSync(path));

if (process.argv.includes('--light') ? found() !== LIGHT : !found())
  aptInstall('chromium-headless-shell', 'fonts-noto-cjk');
// Ubuntu has no such package.
if (!found()) aptInstall('chromium', 'fonts-noto-cjk');
const path = found();
if (!path) {
  process.stderr.write('Chromium is missing: install it (Debian and Ubuntu: apt-get install chromium).\n');
  process.exit(1);
}
process.stdout.write(`${path}\n`);
