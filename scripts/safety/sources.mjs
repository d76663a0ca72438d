// What a bar's result is of: the service, and all that its tests or programs are made of.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const SERVICE = ['src', 'config', 'local-chain/src', 'package-lock.json', '.swcrc', 'tsconfig.json', 'nest-cli.json'];
const JEST = 'jest.config.cjs';
/** Imports, and whatever else names a file by its place. */
const REFERENCE = /['"`](\.{1,2}\/[^'"`]+|<rootDir>\/[^'"`]+)['"`]/g;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.cjs', '.js'];

/** Paths for git, from the root. `sources`: what no import leads to. */
export function sourcesOf(root, { specs = [], sources = [], run }) {
  const begin = run ? run.commands.map(([program]) => program) : [...specs, JEST];
  const found = new Set(begin.filter((path) => existsSync(join(root, path))));
  for (const path of found) for (const next of referencesOf(root, path)) found.add(next);
  return [...SERVICE, ...sources, ...found];
}

function referencesOf(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(REFERENCE)].flatMap(([, to]) => {
    const place = to.startsWith('<rootDir>') ? join(root, to.slice('<rootDir>'.length)) : join(root, dirname(path), to);
    const file = ENDINGS.map((ending) => place + ending).find((name) => existsSync(name) && statSync(name).isFile());
    if (file === undefined) return [];
    const name = relative(root, file).split(sep).join('/');
    return SERVICE.some((of) => name === of || name.startsWith(`${of}/`)) ? [] : [name];
  });
}
