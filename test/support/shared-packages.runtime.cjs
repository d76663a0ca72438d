const Module = require('node:module');
const path = require('node:path');
const { compileFunction, constants } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.dirname(path.dirname(__dirname));
const requirePackage = Module.createRequire(__filename);
const packages = new Map();

/** Neither one of Node's own modules, nor a path, nor one of jest's, which belong to the file that asks. */
const isPackage = (name) => /^(?!node:)[@a-z]/.test(name) && !/^@?jest/.test(name);

/** The sources of what is tested, and the document that every answer is compared with. */
const SOURCES = [
  ...['src', 'config', 'local-chain/src', 'signer/src', 'clients/typescript/src'].map((folder) =>
    path.join(ROOT, folder, path.sep),
  ),
  path.join(ROOT, 'test/support/api-document'),
];
const isSource = (from, name) => {
  if (!name.startsWith('.')) return false;
  const file = path.resolve(path.dirname(from), name);
  return SOURCES.some((folder) => file.startsWith(folder));
};

/** Specs over all statements that the sources name as they are loaded: others have had them name more. */
const LOADS_SOURCES_AGAIN = /\btest\/database\/(?:grown-tables|service-role)\.spec\.ts$/;

/** Jest's own transformation, for Node's loader, of the spec file that runs; stack traces and coverage need what earlier ones had transformed. */
let transform;
const transformed = new Map();
for (const extension of ['.ts', '.tsx'])
  Module._extensions[extension] = (module, filename) => module._compile(transform(filename), filename);

/**
 * Jest loads every package and every source again for every spec file, which cost more processor time than all tests together. Here a worker
 * loads each once, as Node does; the tests' own files stay new for every spec file. It needs one-context.environment.cjs: a Date of one
 * context is not a Date to a package of another.
 */
class SharedPackagesRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
    const { transformCache } = this;
    transform = (filename) => {
      const code = transformCache.transform(filename);
      transformed.set(filename, transformCache.getEntries().get(filename));
      return code;
    };
    for (const [filename, entry] of transformed) {
      transformCache.getEntries().set(filename, entry);
      if (entry.sourceMapPath) transformCache.getSourceMaps().set(filename, entry.sourceMapPath);
    }
  }

  requireModuleOrMock(from, name) {
    if (isPackage(name)) {
      if (!packages.has(name)) packages.set(name, requirePackage(name));
      return packages.get(name);
    }
    const isShared = isSource(from, name) && !LOADS_SOURCES_AGAIN.test(this._testPath);
    if (name.endsWith('.mjs') || isShared) return Module.createRequire(from)(name);
    return super.requireModuleOrMock(from, name);
  }
}

module.exports = { __esModule: true, default: SharedPackagesRuntime };
