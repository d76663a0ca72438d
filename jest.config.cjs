const swc = JSON.parse(require('node:fs').readFileSync(`${__dirname}/.swcrc`, 'utf8'));

/** One real PostgreSQL for the run (test/support/global-setup.ts); every test file makes databases of its own on it. */
module.exports = {
  testEnvironment: '<rootDir>/test/support/one-context.environment.cjs',
  runtime: '<rootDir>/test/support/shared-packages.runtime.cjs',
  // All that specs run, for `npm test -- --changedSince main`.
  roots: ['test', 'src', 'config', 'local-chain/src', 'signer/src', 'clients/typescript/src'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  transform: { '^.+\\.(t|j)sx?$': ['@swc/jest', { ...swc, swcrc: false }] },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/check-answers.setup.ts'],
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Ends a test that hangs; a test that waits for something gives up by itself, and a machine may be slow.
  testTimeout: 900_000,
  // Of a run of some; scripts/test.mjs says how many run all.
  maxWorkers: 4,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  workerIdleMemoryLimit: '900MB',
  // Jest's half a second is too short for a worker to end on a busy machine: it was killed, and jest spoke of leaks where there were none.
  workerGracefulExitTimeout: 10_000,
  collectCoverageFrom: ['src/**/*.{ts,tsx}', 'config/**/*.ts', 'local-chain/src/**/*.ts', 'signer/src/**/*.ts'],
  coverageProvider: 'v8',
  coverageReporters: ['text-summary', 'lcov'],
};
