// npm run test:conformance: every recorded scenario against `npm run local-chain`, then the energy timelines; exit 1 on any difference.
// The recorded folder stays as it came; this file only starts what it needs, and adds up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const folder = path.join(root, 'test', 'conformance');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/**
 * The scenarios' keys are made of it. One address in fourteen has no zero in its hex digits, and is then answered in another way than the
 * recorded one when it is sent as base58, by a real node too: the same keys in each run.
 */
const SALT = 'local-chain';

/** npm starts the chain below a shell: only the whole group gets the signal, and only with a group of its own. */
async function startChain(...args) {
  const child = spawn(npm, ['run', '--silent', 'local-chain', '--', '--port', '0', ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('the local chain ended before it began'))),
  ]);
  const stop = () => {
    try {
      process.kill(0 - child.pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
  };
  process.once('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  return { ...JSON.parse(line), stop };
}

/** Runs one of the folder's own runners, shows what it says, and reads its last count. */
async function run(script, ...args) {
  const child = spawn(process.execPath, [path.join(folder, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stdout.pipe(process.stdout);
  const [code] = await once(child, 'close');
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [null, '0', '1'];
  return { passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1) };
}

const chain = await startChain('--block', '1s');
const rich = chain.accounts.find(({ role }) => role === 'rich').private_key;
const given = ['--full', chain.url, '--rich-key', rich, '--salt', SALT];
const scenarios = await run('run.mjs', ...given, ...process.argv.slice(2));
chain.stop();

const manual = await startChain('--block', 'manual', '--control');
const energy = await run('energy.mjs', '--full', manual.url);
manual.stop();

const [passed, failed] = [scenarios.passed + energy.passed, scenarios.failed + energy.failed];
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
