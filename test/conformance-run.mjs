// npm run test:conformance: every recorded scenario against `npm run local-chain`, then the energy timelines; exit 1 on any difference.
// The recorded folder stays as it came; this file only starts what it needs, and adds up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { useNewestNode } from '../scripts/newest-node.mjs';

useNewestNode();
const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const folder = path.join(root, 'test', 'conformance');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/**
 * The scenarios' keys are made of it. One address in fourteen has no zero in its hex digits, and is then answered in another way than the
 * recorded one when it is sent as base58, by a real node too: the same keys in each run.
 */
const SALT = 'local-chain';

/** More would look at a clock that their own load holds up. */
const AT_ONCE = 6;

/** Stops each chain that runs. */
const stops = new Set();
process.once('exit', () => stops.forEach((stop) => stop()));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** npm starts the chain below a shell: only the whole group gets the signal, and only with a group of its own. */
async function startChain(...args) {
  const child = spawn(npm, ['run', '--silent', 'local-chain', '--', '--port', '0', ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    stops.delete(stop);
    try {
      process.kill(0 - child.pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
  };
  stops.add(stop);
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('the local chain ended before it began'))),
  ]);
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

/** All files of scenarios on one chain: they wait for blocks most of the time, and none uses another's accounts. */
async function runScenario(chain, name) {
  const rich = chain.accounts.find(({ role }) => role === 'rich').private_key;
  return run('run.mjs', '--full', chain.url, '--rich-key', rich, '--salt', SALT, '--only', name);
}

async function runEnergyTimelines() {
  const chain = await startChain('--block', 'manual', '--control');
  const counted = await run('energy.mjs', '--full', chain.url);
  chain.stop();
  return counted;
}

const { only } = parseArgs({ options: { only: { type: 'string', default: '' } } }).values;
const names = readdirSync(path.join(folder, 'scenarios'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.replace('.mjs', ''))
  .filter((name) => name.includes(only));
const shared = await startChain('--block', '2s');
const waiting = [runEnergyTimelines, ...names.map((name) => () => runScenario(shared, name))];
const counts = [];
const lane = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) counts.push(await next());
};
await Promise.all(Array.from({ length: AT_ONCE }, lane));
shared.stop();

const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && counts.every(({ passed }) => passed > 0) ? 0 : 1);
