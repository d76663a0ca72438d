// Prints the path of moto_server, which answers as AWS KMS does, for the tests of the signer. Out of Python's packages where there is none,
// into a folder of this repository.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptInstall } from './apt-install.mjs';

const VERSION = '5.2.5';
const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache', `moto-${VERSION}`);
const OWN = join(FOLDER, 'bin', 'moto_server');
// The server's own list of extras has five times as much.
const PACKAGES = [`moto==${VERSION}`, 'flask', 'flask-cors'];

const works = (program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).status === 0;
const run = (...command) =>
  spawnSync(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

function install() {
  process.stderr.write('Installing moto ...\n');
  if (!run('python3', '-m', 'venv', FOLDER)) {
    aptInstall('python3', 'python3-venv');
    run('python3', '-m', 'venv', FOLDER);
  }
  if (
    existsSync(FOLDER) &&
    !run(join(FOLDER, 'bin', 'pip'), 'install', '-q', '--disable-pip-version-check', ...PACKAGES)
  )
    rmSync(FOLDER, { recursive: true });
}

const find = () => ['moto_server', OWN].find(works);
const path = find() ?? (install(), find());
if (!path) {
  process.stderr.write(`moto is missing: pip install ${PACKAGES.join(' ')}\n`);
  process.exit(1);
}
process.stdout.write(`${path}\n`);
