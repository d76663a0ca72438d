import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** What `scripts/ensure-….mjs` has found or installed; null where it cannot be had, which the script has said. */
function ensure(name: string): string | null {
  const { status, stdout } = spawnSync(process.execPath, [join(__dirname, '../../scripts', `ensure-${name}.mjs`)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? stdout.trim() : null;
}

/**
 * Tests that need a program, which they get the path of. On a machine without it they are left out, and the script has said so; in CI that
 * is a failure.
 */
export function describeWith(name: 'moto' | 'softhsm', what: string, tests: (path: string) => void): void {
  const path = ensure(name);
  const run = path !== null || process.env['CI'] ? describe : describe.skip;
  run(what, () => {
    if (path === null) it(`needs ${name}`, () => expect(path).not.toBeNull());
    else tests(path);
  });
}
