/**
 * Loads the sources as they stand, each compiled when it is required. In a worker, the simulator's edges stand in the place of the
 * network's, the database's and the ids', and a planted bug changes the text of single files: it exists nowhere else.
 */
const { hash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
const SWC = JSON.parse(readFileSync(path.join(ROOT, '.swcrc'), 'utf8'));
/** What was compiled before, by all that it depends on: each bug has a process of its own, which would compile everything again. */
const COMPILED = path.join(ROOT, 'node_modules', '.cache', 'simulate');
const COMPILER = JSON.parse(readFileSync(require.resolve('@swc/core/package.json'), 'utf8')).version;
mkdirSync(COMPILED, { recursive: true });
// What the packages' own files become in V8 is kept beside it.
Module.enableCompileCache?.(path.join(COMPILED, 'v8'));

/** Replacements of packages, by the files that import them. */
const CLIENTS = /^src\/(chain\/tron\/node\/node-http|webhooks\/delivery\/webhook-client)/;
/** It names a socket, and no address. */
const SIGNER = /^src\/chain\/transactions\/signer-process\/signer-connection/;
const EDGES = [
  { name: 'pg', of: /^src\//, by: 'database/pg-edge.ts' },
  { name: 'node:http', of: CLIENTS, by: 'network/http-edge.ts' },
  { name: 'node:https', of: CLIENTS, by: 'network/http-edge.ts' },
  { name: 'node:http', of: SIGNER, by: 'network/signer-edge.ts' },
  { name: 'node:https', of: SIGNER, by: 'network/signer-edge.ts' },
  { name: 'node:zlib', of: CLIENTS, by: 'network/zlib-edge.ts' },
  { name: 'uuid', of: /^src\//, by: 'kernel/uuid-edge.ts' },
];

let patches = [];
const placed = new Set();

exports.useEdges = () => {
  const load = Module._load;
  Module._load = function loadWithEdges(request, parent, isMain) {
    const from = parent?.filename ? path.relative(ROOT, parent.filename) : '';
    const edge = EDGES.find(({ name, of }) => name === request && of.test(from));
    return load.call(this, edge ? path.join(__dirname, edge.by) : request, parent, isMain);
  };
};

exports.plant = (given) => {
  patches = given;
};

/** A planted bug that is nowhere would be caught by nothing. */
exports.requirePlanted = () => {
  const missing = patches.filter((patch) => !placed.has(patch));
  if (missing.length > 0) throw new Error(`never loaded: ${missing.map(({ file }) => file).join(', ')}`);
};

function planted(name, text) {
  let source = text;
  for (const patch of patches) {
    if (patch.file !== name) continue;
    if (source.split(patch.from).length !== 2)
      throw new Error(`a planted bug's place is gone, or is there twice, in ${name}: ${patch.from}`);
    source = source.replace(patch.from, () => patch.to);
    placed.add(patch);
  }
  return source;
}

function compile(module, filename) {
  const source = planted(path.relative(ROOT, filename), readFileSync(filename, 'utf8'));
  module._compile(transformed(source, filename), filename);
}

function transformed(source, filename) {
  const kept = path.join(COMPILED, `${hash('sha256', JSON.stringify([COMPILER, SWC, filename, source]))}.js`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const { code } = require('@swc/core').transformSync(source, {
    ...SWC,
    filename,
    swcrc: false,
    sourceMaps: 'inline',
  });
  // Several workers may compile the same: each writes all of it, or nothing.
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}
Module._extensions['.ts'] = compile;
Module._extensions['.tsx'] = compile;
