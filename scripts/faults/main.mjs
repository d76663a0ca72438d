// npm run faults -- --draw SEED: draws faults by chance into test/safety/chance-faults.json, until each room has four whose text still stands.
// npm run faults [-- --only N,N] [--near]: plants each by itself in a copy and runs the spec that caught it last, then the nearest specs, then
// the room's, then, without --near, all, until one fails.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { useNewestNode } from '../newest-node.mjs';
import { plant, sitesOf } from './sites.mjs';

useNewestNode();

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const LIST = join(ROOT, 'test', 'safety', 'chance-faults.json');
const ROOMS = [
  'auth',
  'balance',
  'billing',
  'webhooks',
  'delegation',
  'reconciliation',
  'chain/verified-chain',
  'chain/transactions',
  'chain/observer',
  'chain/pool',
  'deposits',
  'stake-care',
  'mail',
  'notices',
  'reporting',
  'users',
  'quote',
  'findings',
  'admin',
  'signer',
];
const OF_EACH = 4;
/** For one stage. */
const LONGEST_MS = 40 * 60_000;
const FAILURE_LINES = 20;
/** Tables, wiring and texts: what would be planted there is a schema, a start or a sentence. */
const NOT_DRAWN = /\.(entity|entities|module|dto|table)\.ts$|\.tsx$/;

/** The signer is a package of its own. */
const folderOf = (room) => (room === 'signer' ? 'signer/src' : `src/${room}`);
const testsOf = (folder) => folder.replace(/^signer\/src/, 'test/signer').replace(/^src/, 'test');

const git = (...args) => execFileSync('git', args, { cwd: ROOT }).toString();
const number = (text) => createHash('sha256').update(text).digest('hex');

/** The list with four faults of four files in each room: what no text has any more gives its place to the next site. */
function draw(drawn, seed) {
  const standing = drawn.map((fault) => (isStanding(fault) ? fault : { room: fault.room }));
  const lacking = ROOMS.flatMap((room) => Array.from({ length: OF_EACH }, () => ({ room }))).slice(drawn.length);
  const next = new Map(ROOMS.map((room) => [room, sitesOfRoom(room, seed, standing)]));
  return [...standing, ...lacking].map((fault) => (fault.path ? fault : next.get(fault.room).shift()));
}

/** One of each file that has no fault yet, in the order of their numbers under this seed. */
function sitesOfRoom(room, seed, standing) {
  const taken = new Set(standing.map(({ path }) => path));
  const sites = git('ls-files', `${folderOf(room)}/*.ts`)
    .trim()
    .split('\n')
    .filter((path) => !NOT_DRAWN.test(path) && !taken.has(path))
    .flatMap((path) => sitesOf(path, textOf(path)).map((site) => ({ path, ...site })))
    .map((site) => ({ site, number: number(JSON.stringify([seed, site.path, site.kind, site.at, site.is])) }))
    .toSorted((a, b) => (a.number < b.number ? -1 : 1));
  const first = new Map();
  for (const { site } of sites) if (!first.has(site.path)) first.set(site.path, { room, ...withPlace(site) });
  return [...first.values()];
}

const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');
const isStanding = (fault) => existsSync(join(ROOT, fault.path)) && placeOf(textOf(fault.path), fault) >= 0;

/** A line and what stands there find the place again after other lines have changed. */
function withPlace({ at, ...site }) {
  const text = textOf(site.path);
  const lines = text.slice(0, at).split('\n');
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(start, text.indexOf('\n', at));
  return { ...site, line: lines.length, column: at - start, text: line };
}

function placeOf(text, { line, column, text: expected }) {
  const lines = text.split('\n');
  const near = lines.map((found, index) => ({ found, index })).filter(({ found }) => found === expected);
  const nearest = near.toSorted((a, b) => Math.abs(a.index + 1 - line) - Math.abs(b.index + 1 - line))[0];
  return nearest ? lines.slice(0, nearest.index).join('\n').length + (nearest.index > 0 ? 1 : 0) + column : -1;
}

/** Specs to run in turn: what caught it last, those that import it, those of the file's folder, its room's, those of what imports it, all. */
function stagesOf({ path, room, caughtBy }, isNear) {
  const importing = importersOf(path, `${folderOf(room).split('/')[0]}/*.ts`).map((importer) => dirname(importer));
  const folders = [dirname(path), folderOf(room), ...importing].map(testsOf);
  const [own, ...others] = folders.filter((folder) => existsSync(join(ROOT, folder))).map((folder) => [`${folder}/`]);
  const last = caughtBy && existsSync(join(ROOT, caughtBy)) ? [caughtBy] : [];
  const stages = [last, importersOf(path, 'test/*.spec.ts'), own ?? [], ...others, isNear ? [] : ['test/']];
  return stages.filter(
    (stage, at) => stage.length > 0 && stages.findIndex((one) => one.join() === stage.join()) === at,
  );
}

function importersOf(path, among) {
  const name = `/${basename(path, '.ts')}'`;
  const { stdout } = spawnSync('git', ['grep', '-lF', name, '--', among], { cwd: ROOT, encoding: 'utf8' });
  return stdout.split('\n').filter((importer) => importer !== '');
}

async function run(fault, copy, isNear, workers) {
  const file = join(copy, fault.path);
  const sound = readFileSync(file, 'utf8');
  const faulty = plant(sound, { ...fault, at: placeOf(sound, fault) });
  if (faulty === null) return { outcome: 'gone' };
  writeFileSync(file, faulty);
  try {
    for (const stage of stagesOf(fault, isNear)) {
      const { isPassed, stderr } = await runSpecs(copy, [...(workers ? [`--maxWorkers=${workers}`] : []), ...stage]);
      if (isPassed) continue;
      const by = /^FAIL (\S+)/m.exec(stderr)?.[1] ?? 'a run that did not end';
      return { outcome: 'caught', by, said: firstFailure(stderr) };
    }
    return { outcome: 'survived' };
  } finally {
    writeFileSync(file, sound);
  }
}

/** Whether the fault or the machine has failed a test is for a reader to see. */
function firstFailure(stderr) {
  const from = stderr.search(/^ {2}● /m);
  return from < 0 ? '' : stderr.slice(from).split('\n').slice(0, FAILURE_LINES).join('\n');
}

/** In a process group of its own, which ends with it: a fault may leave what never ends, and Jest leaves its workers where it stops early. */
async function runSpecs(cwd, named) {
  const jest = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')];
  const options = ['--bail', '--forceExit', '--passWithNoTests'];
  const child = spawn(process.execPath, [...jest, ...options, ...named], {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stderr = textFrom(child.stderr);
  const endGroup = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  };
  const interrupted = () => {
    endGroup();
    process.exit(1);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const longest = setTimeout(endGroup, LONGEST_MS);
  const [code] = await once(child, 'exit');
  clearTimeout(longest);
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  endGroup();
  return { isPassed: code === 0, stderr: await stderr };
}

async function runAll(only, isNear, workers) {
  const faults = JSON.parse(readFileSync(LIST, 'utf8'));
  const copy = mkdtempSync(join(tmpdir(), 'faults-'));
  git('clone', '--quiet', '--shared', ROOT, copy);
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // Also when it is interrupted.
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  let [tried, failed] = [0, 0];
  for (const [index, fault] of faults.entries()) {
    if (only && !only.includes(index + 1)) continue;
    tried += 1;
    const { outcome, by, said } = await run(fault, copy, isNear, workers);
    if (outcome === 'caught') fault.caughtBy = by;
    else {
      delete fault.caughtBy;
      if (!fault.equivalent) failed += 1;
    }
    // A run of hours may be interrupted.
    writeFileSync(LIST, `${JSON.stringify(faults, null, 2)}\n`);
    const what = `${fault.path}:${fault.line} ${JSON.stringify(fault.was)} -> ${JSON.stringify(fault.is)}`;
    const why = fault.equivalent ? ` (${fault.equivalent})` : '';
    console.log(`${index + 1} ${outcome}${by ? ` by ${by}` : ''}: ${what}${why}`);
    if (said) console.log(`${said}\n`);
  }
  console.log(`${tried} faults, ${failed} not caught`);
  return failed === 0 ? 0 : 1;
}

const { values } = parseArgs({
  options: {
    draw: { type: 'string' },
    only: { type: 'string' },
    near: { type: 'boolean' },
    workers: { type: 'string' },
  },
});
if (values.draw === undefined)
  process.exit(await runAll(values.only?.split(',').map(Number), values.near, values.workers));
const list = JSON.parse(readFileSync(LIST, 'utf8'));
writeFileSync(LIST, `${JSON.stringify(draw(list, values.draw), null, 2)}\n`);
