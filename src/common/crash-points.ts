import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { CrashPoint } from '../../config/crash-point';

@Injectable()
export class CrashPoints {
  constructor(@Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'crashAt'>) {}

  /** Whether it is this point, or one of these. */
  isSet(points: CrashPoint | readonly CrashPoint[]): boolean {
    return [points].flat().some((point) => point === this.configuration.crashAt);
  }

  reached(points: CrashPoint | readonly CrashPoint[] | undefined): void {
    // Like a power cut: nothing is flushed, closed or answered.
    if (points !== undefined && this.isSet(points)) process.kill(process.pid, 'SIGKILL');
  }

  /** After the charge: no answer leaves before the money is taken, and then none at all. */
  async beforeAnswer(): Promise<void> {
    if (this.isSet('after-charge-commit')) await new Promise(() => undefined);
  }
}
