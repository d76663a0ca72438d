import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from '../support/build';
import { Child } from '../support/child';

const PRODUCTION_ONLY = join(__dirname, '..', 'support', 'production-only.cjs');
const ROOT = join(__dirname, '..', '..');
/** Begins to work when it is loaded: the service and the programs beside it. */
const PROGRAM = /(?:^|\/)main\.js$/;
/** What runs in a browser. */
const ELSEWHERE =
  /^src\/(?:openapi\/assets\/docs|panel\/assets\/(?:panel|first-call|live|times)|site\/assets\/(?:old-links|shared-receipt))\.js$/;

const run = (args: string[], env: Record<string, string> = {}) =>
  new Child(['--require', PRODUCTION_ONLY, ...args], env, ROOT).ended;

describe('without development dependencies', () => {
  // A module loads a package when it first uses it (`lazy` in .swcrc): the names are looked up, and the modules loaded.
  it('every module of the build and every package that one names is found', async () => {
    const build = ensureBuild();
    const modules = globSync(['src/**/*.js', 'config/**/*.js'], { cwd: build })
      .filter((path) => !PROGRAM.test(path) && !ELSEWHERE.test(path))
      .map((path) => join(build, path));
    expect(modules.length).toBeGreaterThan(300);
    const load = `
      require('reflect-metadata');
      const { readFileSync } = require('node:fs');
      const { createRequire } = require('node:module');
      const named = (path) => readFileSync(path, 'utf8').matchAll(/require\\("([^."][^"]*)"\\)/g);
      const packages = new Set();
      for (const path of ${JSON.stringify(modules)}) {
        require(path);
        for (const [, name] of named(path)) packages.add(createRequire(path).resolve(name));
      }
      console.log(packages.size);
      process.exit();
    `;
    const loaded = await run(['--eval', load]);
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    expect(Number(loaded.stdout)).toBeGreaterThan(30);
  });

  it('the service starts as far as its database, and the command line lists its commands', async () => {
    const build = ensureBuild();
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
      TRON_FULL_NODE_URLS: 'http://127.0.0.1:1',
    };
    const service = await run([join(build, 'src/main.js')], env);
    expect(`${service.stdout}${service.stderr}`).not.toContain('Cannot find module');
    expect(`${service.stdout}${service.stderr}`).toContain('127.0.0.1:1');
    expect(await run([join(build, 'src/cli/main.js'), '--help'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('no embedded database is installed, and a start on one says what to do', async () => {
    const env = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'production-')),
      LOCAL_CHAIN: 'off',
      TRON_FULL_NODE_URLS: 'http://127.0.0.1:1',
    };
    const { code, stderr } = await run([join(ensureBuild(), 'src/main.js')], env);
    expect(code).toBe(1);
    expect(stderr).toContain('is installed for development alone: set DATABASE_URL');
    rmSync(env.DATA_DIR, { recursive: true });
  });

  it('a module that only development has is not found', async () => {
    const { code, stderr } = await run(['--eval', `require('supertest')`]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot find module 'supertest' in production`)]);
  });
});
