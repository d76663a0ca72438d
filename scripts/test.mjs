// npm test: jest, then the recorded scenarios against the local chain, alone, because they look at a running clock.
// With arguments, jest alone on what they name.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const JEST = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')];

const run = (...command) => spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;

const named = process.argv.slice(2);
const jest = run(...JEST, ...named);
const conformance = named.length > 0 ? 0 : run(join('test', 'conformance-run.mjs'));
process.exit(jest || conformance);
