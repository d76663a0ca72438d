/**
 * Loads the sources as they stand, each compiled when it is required. In a worker, the simulator's edges stand in the place of the
 * network's, the database's and the ids', and a planted bug changes the text of single files: it exists nowhere else.
 */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const ROOT = path.join(__dirname, '..', '..');
const SWC = JSON.parse(readFileSync(path.join(ROOT, '.swcrc'), 'utf8'));

/** What is given instead of a package, by who asks for it. */
const CLIENTS = /^src\/(chain\/node\/node-http|webhooks\/delivery\/webhook-client)/;
const EDGES = [
  { name: 'pg', of: /^src\//, by: 'database/pg-edge.ts' },
  { name: 'node:http', of: CLIENTS, by: 'network/http-edge.ts' },
  { name: 'node:https', of: CLIENTS, by: 'network/http-edge.ts' },
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
  const { code } = transformSync(source, { ...SWC, filename, swcrc: false, sourceMaps: 'inline' });
  module._compile(code, filename);
}
Module._extensions['.ts'] = compile;
Module._extensions['.tsx'] = compile;
