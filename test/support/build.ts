import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

let built: string | undefined;

/** The compiled service, for tests that run it in processes of its own; returns its directory. Sources are compared once per test file. */
export function ensureBuild(): string {
  return (built ??= build());
}

/** What a process takes up compiled; another than the build itself, which never changes once it has its name. */
export function compileCache(): string {
  return join(ensureBuild(), '..', 'compile-cache');
}

function build(): string {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] });
  return realpathSync(join(ROOT, 'dist'));
}
