// npm run check: what the code promises besides its tests. Runs everything even after a failure and ends with the count.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const inModules = (...path) => join('node_modules', ...path);

const CHECKS = {
  'lint and import directions': [inModules('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings'],
  format: [inModules('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  types: [inModules('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.json'],
  'migrations describe the entities': ['scripts/check-migrations.mjs'],
  'openapi.json describes the routes': ['scripts/openapi.mjs', '--check'],
  'the lock file names no registry': ['scripts/check-lock-file.mjs'],
};

let failed = 0;
for (const [name, command] of Object.entries(CHECKS)) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) failed += 1;
  process.stdout.write(status === 0 ? `ok      ${name}\n` : `FAILED  ${name}\n${stdout}${stderr}\n`);
}
process.stdout.write(`${Object.keys(CHECKS).length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
