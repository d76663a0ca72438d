// Prints the path of Caddy, for the tests of deploy/caddy. Out of Debian's package where there is none; nothing is installed.
import { debianProgram } from './debian-program.mjs';

const path = debianProgram({ name: 'caddy', package: 'caddy', path: 'usr/bin/caddy', version: 'version' });
if (!path) {
  process.stderr.write('Caddy is missing: install it (Debian and Ubuntu: apt-get install caddy).\n');
  process.exit(1);
}
process.stdout.write(`${path}\n`);
