// --require this: whatever only development installs cannot be found, as after `npm ci --omit=dev`.
const Module = require('node:module');
const { join, relative, sep } = require('node:path');

const ROOT = join(__dirname, '..', '..');
const { packages } = require(join(ROOT, 'package-lock.json'));

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveInProduction(request, ...others) {
  const path = resolve.call(this, request, ...others);
  const parts = relative(ROOT, path).split(sep);
  const at = parts.lastIndexOf('node_modules') + 1;
  if (at === 0) return path;
  const name = parts.slice(0, at + (parts[at].startsWith('@') ? 2 : 1)).join('/');
  if (!packages[name]?.dev) return path;
  throw Object.assign(new Error(`Cannot find module '${request}' in production`), { code: 'MODULE_NOT_FOUND' });
};
