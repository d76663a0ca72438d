import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The compiled service, for tests that run it in processes of its own; returns its directory. */
export function ensureBuild(): string {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] });
  return realpathSync(join(ROOT, 'dist'));
}
