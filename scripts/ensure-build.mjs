import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const BUILDS = join(ROOT, '.builds');
const DIST = join(ROOT, 'dist');
/** The service serves it, from beside its own `src`. */
const DOCUMENT = 'openapi.json';
/** And these: documents, the programs in them, and the modules that check a receipt in a browser. */
const FOLDERS = ['docs/customers', 'examples', 'clients/typescript/src/receipt'];
const INPUTS = [
  'src',
  'config',
  'local-chain/src',
  'signer/src',
  DOCUMENT,
  ...FOLDERS,
  '.swcrc',
  'nest-cli.json',
  'tsconfig.json',
  'package-lock.json',
];
const KEPT_BUILDS = 3;

/**
 * Makes `dist` a link to a build of exactly these sources, and returns the build's directory.
 * A build is never changed once it has its name: services that run from it go on, and of several that build at once the first wins.
 */
export function ensureBuild() {
  const name = hashInputs();
  const build = join(BUILDS, name);
  if (!existsSync(build)) compile(build);
  if (currentBuild() !== build) pointDistTo(build);
  return build;
}

function hashInputs() {
  const hash = createHash('sha256');
  for (const path of INPUTS.flatMap((input) => filesUnder(join(ROOT, input)))) {
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).sort();
  return names.flatMap((name) => filesUnder(join(path, name)));
}

function compile(build) {
  process.stderr.write('Building ...\n');
  const staging = `${build}.${randomUUID()}`;
  mkdirSync(staging, { recursive: true });
  try {
    runNestBuild(staging);
    copyFileSync(join(ROOT, DOCUMENT), join(staging, DOCUMENT));
    for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(staging, folder), { recursive: true });
    renameSync(staging, build);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(build)) throw error;
  }
  removeOldBuilds(build);
}

function runNestBuild(staging) {
  const config = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8'));
  config.compilerOptions.builder.options.outDir = staging;
  const configPath = join(staging, 'nest-cli.json');
  writeFileSync(configPath, JSON.stringify(config));
  const nest = join(ROOT, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [nest, 'build', '--config', relative(ROOT, configPath)],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  if (status === 0 && existsSync(join(staging, 'src'))) return;
  // Only the compiler's own words are of use, not where we called it.
  const failure = new Error('The build failed');
  failure.stack = `The build failed (after a change of the dependencies, run npm ci):\n${stdout}${stderr}`;
  throw failure;
}

function currentBuild() {
  try {
    return join(ROOT, readlinkSync(DIST));
  } catch {
    return null;
  }
}

function pointDistTo(build) {
  const link = join(BUILDS, `dist.${randomUUID()}`);
  symlinkSync(relative(ROOT, build), link);
  // A directory that another tool left there cannot be replaced in one step.
  if (existsSync(DIST) && currentBuild() === null) rmSync(DIST, { recursive: true });
  renameSync(link, DIST);
  const now = new Date();
  utimesSync(build, now, now);
}

/** Older ones may still be loaded from by a service that runs, so a few stay. */
function removeOldBuilds(build) {
  const others = readdirSync(BUILDS)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => join(BUILDS, name))
    .filter((path) => path !== build)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of others.slice(KEPT_BUILDS)) rmSync(path, { recursive: true, force: true });
}
