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

/** As `npm run local-chain` does, without npm, which takes longer than the chain. */
async function startChain(...args) {
  const program = [path.join('scripts', 'run.mjs'), path.join('local-chain', 'src', 'main.js')];
  const child = spawn(process.execPath, [...program, '--port', '0', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    stops.delete(stop);
    child.kill();
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

/** One file of scenarios on a chain of its own: they wait for blocks most of the time, and none sees another's stakes or pending transactions. */
async function runScenario(name) {
  const chain = await startChain('--block', '3s');
  const rich = chain.accounts.find(({ role }) => role === 'rich').private_key;
  const counted = await run('run.mjs', '--full', chain.url, '--rich-key', rich, '--salt', SALT, '--only', name);
  chain.stop();
  return counted;
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
const waiting = [runEnergyTimelines, ...names.map((name) => () => runScenario(name))];
const counts = [];
const lane = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) counts.push(await next());
};
await Promise.all(Array.from({ length: AT_ONCE }, lane));

const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && counts.every(({ passed }) => passed > 0) ? 0 : 1);
