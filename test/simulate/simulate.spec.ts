import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { shorten } from './shorten';
import { makePlan, type Plan } from './world/plan';
import type { History } from './world/world';

const PROGRAM = join(__dirname, '..', '..', 'scripts', 'simulate.mjs');

interface Run {
  readonly code: number;
  readonly output: string;
}

function simulate(...options: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [PROGRAM, '--workers', '1', ...options],
      { maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
      },
    );
  });
}

/** A share of `npm run simulate -- --seeds 1000` and of `--planted`. */
describe('the simulator', () => {
  it('finds nothing wrong in a few histories', async () => {
    const run = await simulate('--seeds', '2', '--seed', '1');
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('2 seeds, 0 with a violation') as string });
  }, 240_000);

  it('makes the same history of a seed twice', async () => {
    const { code, output } = await simulate('--seed', '16');
    expect([code, output]).toEqual([0, expect.stringMatching(/^seed 16: \d+ events, \d+ orders/)]);
    expect(output).not.toContain('gave two logs');
  }, 240_000);

  it('catches a planted bug', async () => {
    const { code, output } = await simulate('--planted', '--bug', 'reserved-stake-forgotten');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^caught reserved-stake-forgotten seed \d+ in [\d.]+ s: /),
    ]);
  }, 240_000);

  it('can plant each of its bugs', async () => {
    const { code, output } = await simulate('--planted', '--places');
    expect([code, output.trim()]).toEqual([0, expect.stringMatching(/^\d+ bugs can be planted$/)]);
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
    });
    const short = await shorten({ run }, plan, await run(3));
    expect(short.plan.actions).toEqual(needed);
  });
});
