import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrashPoint } from '../../config/crash-point';
import { ensureBuild } from './build';
import type { ServiceChild } from './service-child';

/** Sets a crash point in a service that runs already: the one that took over after a kill is killed next, at another point. */
export class CrashTrigger {
  private readonly directory = mkdtempSync(join(tmpdir(), 'crash-trigger-'));
  private readonly file = join(this.directory, 'point');

  /** What a service is started with. */
  get env(): Record<string, string> {
    const trigger = join(__dirname, 'ends-on-signal.cjs');
    return { NODE_OPTIONS: `--require ${trigger}`, CRASH_TRIGGER: this.file, CRASH_POINTS_IN: ensureBuild() };
  }

  async set(child: ServiceChild, point: CrashPoint): Promise<void> {
    writeFileSync(this.file, point);
    child.process.kill('SIGUSR2');
    await child.waitFor(new RegExp(`^ends at ${point}$`, 'm'));
  }

  close(): void {
    rmSync(this.directory, { recursive: true });
  }
}
