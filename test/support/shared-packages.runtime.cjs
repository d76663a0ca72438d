const { createRequire } = require('node:module');
const { compileFunction, constants } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const requirePackage = createRequire(__filename);

/** Neither one of Node's own modules, nor a path, nor one of jest's, which belong to the file that asks. */
const isPackage = (name) => /^(?!node:)[@a-z]/.test(name) && !/^@?jest/.test(name);

/**
 * Jest loads every package again for every spec file, which cost more processor time than all tests together. Here a worker loads each
 * once, as Node does; the project's own files, and with them all state that they keep, stay new for every spec file. It needs
 * one-context.environment.cjs: a Date of one context is not a Date to a package of another.
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
  }

  requireModuleOrMock(from, name) {
    if (isPackage(name)) return requirePackage(name);
    return name.endsWith('.mjs') ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
}

module.exports = { __esModule: true, default: SharedPackagesRuntime };
