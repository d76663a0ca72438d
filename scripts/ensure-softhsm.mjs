// Prints the path of SoftHSM's PKCS#11 module, for the tests of the signer. Debian's package is installed where it is missing and root may
// do it; the Node package that speaks to such modules is compiled where npm could not do that.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptInstall } from './apt-install.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];

function find() {
  if (spawnSync('softhsm2-util', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  return MODULES.find((path) => existsSync(path));
}

function isCompiled() {
  try {
    createRequire(join(ROOT, 'signer', 'package.json'))('pkcs11js');
    return true;
  } catch {
    return false;
  }
}

/** By the headers that come with npm's Node: without them the compilation would download some. */
function compile() {
  const nodedir = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`);
  const options = existsSync(join(nodedir, 'include')) ? [`--nodedir=${nodedir}`] : [];
  aptInstall('python3', 'make', 'g++');
  spawnSync('npm', ['rebuild', 'pkcs11js', ...options], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

const path = find() ?? (aptInstall('softhsm2'), find());
if (!isCompiled()) compile();
if (!path) process.stderr.write('SoftHSM is missing: install it (Debian and Ubuntu: apt-get install softhsm2).\n');
if (!isCompiled()) process.stderr.write('pkcs11js is missing: npm rebuild pkcs11js, which takes a compiler for C++.\n');
if (!path || !isCompiled()) process.exit(1);
process.stdout.write(`${path}\n`);
