// Prints the path of promtool, which checks the alert rules. Out of Debian's package prometheus where there is none; nothing is installed.
import { debianProgram } from './debian-program.mjs';

const path = debianProgram({ name: 'promtool', package: 'prometheus', path: 'usr/bin/promtool', version: '--version' });
if (!path) {
  process.stderr.write('promtool is missing: install Prometheus (Debian and Ubuntu: apt-get install prometheus).\n');
  process.exit(1);
}
process.stdout.write(`${path}\n`);
