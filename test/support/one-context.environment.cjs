const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { ProcessTimers } = require('./virtual-time/process-timers.ts');

// Before anything keeps a timer in a variable.
const timers = ProcessTimers.of();

/** Jest's environment for Node without a context of its own for each spec file, see shared-packages.runtime.cjs. */
module.exports = class OneContextEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    timers.end();
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
