// npm run check: what the code promises besides its tests. Runs everything even after a failure and ends with the count.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useNewestNode } from './newest-node.mjs';

useNewestNode();
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const inModules = (...path) => join('node_modules', ...path);

const CHECKS = {
  'lint and types': [inModules('oxlint', 'bin', 'oxlint'), '--type-aware', '--type-check', '--deny-warnings'],
  format: [inModules('oxfmt', 'bin', 'oxfmt'), '--check'],
  'migrations describe the entities': ['scripts/check-migrations.mjs'],
  'openapi.json describes the routes': ['scripts/openapi.mjs', '--check'],
  "the TypeScript client's types are the document's": ['scripts/client-types.mjs', '--check'],
  'the lock file names no registry': ['scripts/check-lock-file.mjs'],
};

let failed = 0;
let missing = 0;

function ensurePromtool() {
  const { stdout } = spawnSync(process.execPath, [join('scripts', 'ensure-promtool.mjs')], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return stdout.trim() || 'promtool';
}

/**
 * What Prometheus itself says of the alert rules. Its program is in no npm package: where every change is checked it has to be there, a
 * newcomer is told that it was not.
 */
function checkAlerts() {
  const name = 'alert rules and their tests (promtool)';
  const promtool = process.env.CI === 'true' ? ensurePromtool() : 'promtool';
  for (const command of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr, error } = spawnSync(promtool, command, {
      cwd: join(ROOT, 'deploy', 'prometheus'),
      encoding: 'utf8',
    });
    if (error?.code === 'ENOENT' && process.env.CI !== 'true') {
      missing += 1;
      return `NOT RUN ${name}: promtool is not installed\n`;
    }
    if (status !== 0) {
      failed += 1;
      return `FAILED  ${name}\n${stdout}${stderr}${error ?? ''}\n`;
    }
  }
  return `ok      ${name}\n`;
}

for (const [name, command] of Object.entries(CHECKS)) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) failed += 1;
  process.stdout.write(status === 0 ? `ok      ${name}\n` : `FAILED  ${name}\n${stdout}${stderr}\n`);
}
process.stdout.write(checkAlerts());
const passed = Object.keys(CHECKS).length + 1 - failed - missing;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
