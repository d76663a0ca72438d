import { execFile } from 'node:child_process';
import { join } from 'node:path';

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
    const run = await simulate('--seeds', '4', '--seed', '1');
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('4 seeds, 0 with a violation') as string });
  }, 240_000);

  it('makes the same history of a seed twice, and shows the shortest one of a planted bug', async () => {
    const { code, output } = await simulate('--seed', '1', '--bug', 'expiry-judged-by-the-head');
    expect(code).toBe(1);
    expect(output).not.toContain('gave two logs');
    expect(output).toContain('counts as dead before any final block is past its expiration');
    expect(output).toMatch(/its shortest history, \d+ actions/);
  }, 240_000);

  it('can plant each of its bugs', async () => {
    const { code, output } = await simulate('--planted', '--places');
    expect([code, output.trim()]).toEqual([0, expect.stringMatching(/^\d+ bugs can be planted$/)]);
  });
});
