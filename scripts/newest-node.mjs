// node scripts/newest-node.mjs <program> [arguments]: runs the program with the newer of two Nodes, npm's pinned one and the machine's,
// so that a security release on the machine is used before npm carries it.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import Module from 'node:module';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SELF = fileURLToPath(import.meta.url);
const MODULES = join(dirname(dirname(SELF)), 'node_modules') + sep;
/** The release lines that the service was tried on. */
const TRIED_MAJORS = [24];
const OLDEST_NODE = [24, 7];

/** True when the machine's Node is newer than the pinned one and of a release line that was tried. */
export function prefersSystem(pinned, system) {
  const [own, other] = [parse(pinned), parse(system)];
  if (!own || !other || !TRIED_MAJORS.includes(other[0])) return false;
  const at = own.findIndex((part, index) => part !== other[index]);
  return at >= 0 && other[at] > own[at];
}

/** The newest of the machine's Nodes that should run this instead of the pinned one, which runs now; null without one. */
export function newerSystemNode(version = process.version, path = process.env.PATH ?? '') {
  let newest = { node: null, version };
  for (const node of systemNodes(path)) {
    const found = versionOf(node);
    if (prefersSystem(newest.version, found)) newest = { node, version: found };
  }
  return newest.node;
}

/** Starts this process again with the machine's Node when that is newer. It keeps its id, so signals still arrive. */
export function useNewestNode() {
  requireNode();
  // A Node other than npm's was chosen deliberately. Without execve (Windows), the pinned one goes on.
  if (!process.execve || !process.execPath.startsWith(MODULES)) return;
  const node = newerSystemNode();
  if (node) process.execve(node, [node, ...process.execArgv, ...process.argv.slice(1)], process.env);
}

/** An older one fails while it loads the code, with an unhelpful message. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  process.stderr.write(
    `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.version}. ` +
      'npm ci brings one along: use the npm scripts (npm start, npm test, npm run cli), or install a newer Node where npm has none for your platform.\n',
  );
  process.exit(1);
}

/** Each `node` on the path that npm did not put there. */
function systemNodes(path) {
  const directories = path.split(delimiter).filter((directory) => directory && !directory.includes('node_modules'));
  return directories.map((directory) => join(directory, 'node')).filter(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return !realpathSync(file).startsWith(MODULES);
  } catch {
    return false;
  }
}

function versionOf(node) {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8', timeout: 5_000, stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

/** Null for anything but a release. */
function parse(version) {
  const match = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(version);
  return match && match.slice(1).map(Number);
}

// By its real path: the project may be reached through a link.
if (process.argv[1] && realpathSync(process.argv[1]) === SELF) {
  useNewestNode();
  process.argv.splice(1, 1);
  // Node itself takes a program's path from the working directory; runMain takes `dist/src/main.js` for the name of a package.
  process.argv[1] = resolve(process.argv[1]);
  Module.runMain();
}
