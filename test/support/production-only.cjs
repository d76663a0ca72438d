// --require this: whatever only development installs cannot be found, as after `npm ci --omit=dev`.
const Module = require('node:module');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
const { packages } = require(path.join(ROOT, 'package-lock.json'));

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveInProduction(request, ...others) {
  const found = resolve.call(this, request, ...others);
  const parts = path.relative(ROOT, found).split(path.sep);
  const at = parts.lastIndexOf('node_modules') + 1;
  if (at === 0) return found;
  const name = parts.slice(0, at + (parts[at].startsWith('@') ? 2 : 1)).join('/');
  if (!packages[name]?.dev) return found;
  throw Object.assign(new Error(`Cannot find module '${request}' in production`), { code: 'MODULE_NOT_FOUND' });
};
