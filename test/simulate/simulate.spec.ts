import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until';
import { type SimServer, startServer } from './database/server';
import { findPlaces, runPlanted } from './planted/run-planted';
import { replay, runSeeds } from './run-seeds';
import { shorten } from './shorten';
import { Twice } from './twice';
import { makePlan } from './world/make-plan';
import type { Plan } from './world/plan';
import type { History } from './world/world';

/** Its database refuses, falls silent and has a wrong clock, and the last fork drops what was answered. */
const SEED_OF_DATABASE = 96;
/** The same, without that last fork. */
const SEED_WITHOUT_FORK = 27;
const PROGRAM = join(__dirname, '..', '..', 'scripts', 'simulate.mjs');

/** A share of `npm run simulate -- --seeds 1000` and of `--planted`. */
describe('the simulator', () => {
  let server: SimServer;
  let said: string[];

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    said = [];
    jest.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  });
  afterEach(() => jest.restoreAllMocks());

  it('finds nothing wrong in a history with a troubled database and a fork at its end', async () => {
    expect([await runSeeds([server], { first: SEED_OF_DATABASE, count: 1 }), said]).toEqual([
      true,
      [expect.stringMatching(/^1 seeds, 0 with a violation, \d+ requests/)],
    ]);
  });

  it('makes the same history of a seed twice, and finds nothing wrong in it', async () => {
    expect([await replay(server, makePlan(16), false), said]).toEqual([
      true,
      [expect.stringMatching(/^seed 16: \d+ events, \d+ orders/)],
    ]);
  });

  it('makes the same history on another server, whatever the databases do', async () => {
    const another = await startServer();
    try {
      const seeds = { first: SEED_WITHOUT_FORK, count: 1, twiceEvery: 1 };
      expect([await runSeeds([server, another], seeds), said]).toEqual([
        true,
        expect.arrayContaining(['1 seeds run twice, on 2 servers, 0 with another log']),
      ]);
    } finally {
      await another.stop();
    }
  });

  it('has the next server make some histories again, and says which came out otherwise', async () => {
    const twice = new Twice(['here', 'elsewhere'], 2);
    for (const seed of [1, 2, 3, 4]) twice.note({ place: 'here', seed, digest: `log ${seed}` });
    const seeds: number[] = [];
    const run = async (seed: number) => ({ digest: seeds.push(seed) === 2 ? 'another' : `log ${seed}` });
    await twice.runOthers({ run }, 'here');
    expect(seeds).toEqual([]);
    await twice.runOthers({ run }, 'elsewhere');
    expect(seeds).toEqual([2, 4]);
    expect([twice.count, twice.differing, said]).toEqual([
      2,
      1,
      ['seed 4, run twice, gave two logs: log 4 and another'],
    ]);
  });

  it('catches planted bugs', async () => {
    const names = ['hold-without-the-lock-of-its-account', 'answers-swapped-in-a-batch'];
    expect(await runPlanted([server], names)).toBe(true);
    for (const name of names)
      expect(said).toContainEqual(expect.stringMatching(new RegExp(`^caught ${name} seed \\d+ in [\\d.]+ s: `)));
    expect(said.at(-1)).toBe('2 of 2 planted bugs caught');
  });

  it('can plant each of its bugs', () => {
    expect([findPlaces(), said]).toEqual([true, [expect.stringMatching(/^\d+ bugs can be planted$/)]]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('leaves no database when %s ends it', async (signal) => {
    const place = mkdtempSync(join(tmpdir(), 'interrupted-'));
    // Root's server runs as another user, who must get in.
    chmodSync(place, 0o755);
    const run = spawn(process.execPath, [PROGRAM, '--seeds', '50', '--workers', '1'], {
      env: { ...process.env, TMPDIR: place },
      stdio: 'ignore',
    });
    const ended = once(run, 'exit');
    const pidFileIn = (name: string) => join(place, name, 'postgres', 'data', 'postmaster.pid');
    await until('the server', async () => readdirSync(place).some((name) => existsSync(pidFileIn(name))));
    run.kill(signal);
    await ended;
    // Its data go last, once the server has ended.
    await until('the end of the server', async () => readdirSync(place).length === 0);
    rmSync(place, { recursive: true });
  });

  it('shows of a wrong history the fewest actions that make it wrong', async () => {
    const plan = makePlan(3);
    const needed = [plan.actions[4]!, plan.actions[11]!];
    const isWrong = ({ actions }: Plan) => needed.every((action) => actions.includes(action));
    const run = async (_seed: number, tried = plan): Promise<History> => ({
      violations: isWrong(tried) ? ['wrong'] : [],
      digest: '',
      lines: [],
      events: 0,
      virtualMs: 0,
      orders: 0,
      counts: {},
    });
    const short = await shorten({ run }, plan, await run(3));
    expect(short.plan.actions).toEqual(needed);
  });
});
