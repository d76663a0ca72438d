// npm run faults -- --draw SEED: draws faults by chance, four in each room that has none yet, into test/safety/chance-faults.json.
// npm run faults [-- --only N,N] [--near]: plants each by itself in a copy and runs the specs nearest to it, then the room's, then, without
// --near, all, until one fails.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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
/** Tables, wiring and texts: what would be planted there is a schema, a start or a sentence. */
const NOT_DRAWN = /\.(entity|entities|module|dto|table)\.ts$|\.tsx$/;

/** The signer is a package of its own. */
const folderOf = (room) => (room === 'signer' ? 'signer/src' : `src/${room}`);
const testsOf = (folder) => folder.replace(/^signer\/src/, 'test/signer').replace(/^src/, 'test');

const git = (...args) => execFileSync('git', args, { cwd: ROOT }).toString();
const number = (text) => createHash('sha256').update(text).digest('hex');

/** In each of these rooms the four sites, of four files, whose numbers under this seed are the smallest. */
function draw(rooms, seed) {
  return rooms.flatMap((room) => {
    const paths = git('ls-files', `${folderOf(room)}/*.ts`).trim().split('\n');
    const sites = paths
      .filter((path) => !NOT_DRAWN.test(path))
      .flatMap((path) => sitesOf(path, readFileSync(join(ROOT, path), 'utf8')).map((site) => ({ path, ...site })))
      .map((site) => ({ site, number: number(JSON.stringify([seed, site.path, site.kind, site.at, site.is])) }))
      .sort((a, b) => (a.number < b.number ? -1 : 1));
    const drawn = new Map();
    for (const { site } of sites) if (!drawn.has(site.path)) drawn.set(site.path, site);
    return [...drawn.values()].slice(0, OF_EACH).map((site) => ({ room, ...withPlace(site) }));
  });
}

/** A line and what stands there find the place again after other lines have changed. */
function withPlace({ at, ...site }) {
  const text = readFileSync(join(ROOT, site.path), 'utf8');
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

/** Specs to run in turn, the nearest first: those of the file's folder, those that import it, its room's, those of what imports it, all. */
function stagesOf({ path, room }, isNear) {
  const importing = importersOf(path, `${folderOf(room).split('/')[0]}/*.ts`).map((importer) => dirname(importer));
  const folders = [dirname(path), folderOf(room), ...importing].map(testsOf);
  const [own, ...others] = folders.filter((folder) => existsSync(join(ROOT, folder))).map((folder) => [`${folder}/`]);
  const stages = [own ?? [], importersOf(path, 'test/*.spec.ts'), ...others, isNear ? [] : ['test/']];
  return stages.filter(
    (stage, at) => stage.length > 0 && stages.findIndex((one) => one.join() === stage.join()) === at,
  );
}

function importersOf(path, among) {
  const name = `/${basename(path, '.ts')}'`;
  const { stdout } = spawnSync('git', ['grep', '-lF', name, '--', among], { cwd: ROOT, encoding: 'utf8' });
  return stdout.split('\n').filter((importer) => importer !== '');
}

function run(fault, copy, isNear) {
  const file = join(copy, fault.path);
  const sound = readFileSync(file, 'utf8');
  const faulty = plant(sound, { ...fault, at: placeOf(sound, fault) });
  if (faulty === null) return { outcome: 'gone' };
  writeFileSync(file, faulty);
  try {
    for (const stage of stagesOf(fault, isNear)) {
      const jest = [
        '--experimental-vm-modules',
        '--no-warnings',
        'node_modules/jest/bin/jest.js',
        '--bail',
        // A fault may leave what never ends.
        '--forceExit',
        ...stage,
      ];
      const { status, stderr } = spawnSync(process.execPath, jest, {
        cwd: copy,
        encoding: 'utf8',
        maxBuffer: 1e9,
        timeout: LONGEST_MS,
        killSignal: 'SIGKILL',
      });
      if (status !== 0) return { outcome: 'caught', by: /^FAIL (\S+)/m.exec(stderr)?.[1] ?? 'a run that did not end' };
    }
    return { outcome: 'survived' };
  } finally {
    writeFileSync(file, sound);
  }
}

function runAll(only, isNear) {
  const faults = JSON.parse(readFileSync(LIST, 'utf8'));
  const copy = mkdtempSync(join(tmpdir(), 'faults-'));
  git('clone', '--quiet', '--shared', ROOT, copy);
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  let [tried, failed] = [0, 0];
  try {
    for (const [index, fault] of faults.entries()) {
      if (only && !only.includes(index + 1)) continue;
      tried += 1;
      const { outcome, by } = run(fault, copy, isNear);
      if (outcome === 'caught') fault.caughtBy = by;
      else if (!fault.equivalent) failed += 1;
      const what = `${fault.path}:${fault.line} ${JSON.stringify(fault.was)} -> ${JSON.stringify(fault.is)}`;
      console.log(
        `${index + 1} ${outcome}${by ? ` by ${by}` : ''}: ${what}${fault.equivalent ? ` (${fault.equivalent})` : ''}`,
      );
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  writeFileSync(LIST, `${JSON.stringify(faults, null, 2)}\n`);
  console.log(`${tried} faults, ${failed} not caught`);
  return failed === 0 ? 0 : 1;
}

const { values } = parseArgs({
  options: { draw: { type: 'string' }, only: { type: 'string' }, near: { type: 'boolean' } },
});
if (values.draw === undefined) process.exit(runAll(values.only?.split(',').map(Number), values.near));
const drawn = JSON.parse(readFileSync(LIST, 'utf8'));
const undrawn = ROOMS.filter((room) => drawn.every((fault) => fault.room !== room));
writeFileSync(LIST, `${JSON.stringify([...drawn, ...draw(undrawn, values.draw)], null, 2)}\n`);
