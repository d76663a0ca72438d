/** Real PostgreSQL and a real local chain come up once per run (test/support/global-setup.ts); every test file gets a database of its own. */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  transform: {
    '^.+\\.(t|j)sx?$': [
      '@swc/jest',
      require('node:fs').existsSync('.swcrc')
        ? JSON.parse(require('node:fs').readFileSync(`${__dirname}/.swcrc`, 'utf8'))
        : {},
    ],
  },
  testTimeout: 60_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '900MB',
  collectCoverageFrom: ['src/**/*.ts', 'config/**/*.ts'],
  coverageProvider: 'v8',
};
