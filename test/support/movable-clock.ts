import { Clock } from '../../src/common/clock';

/** An instance's own time, which its spec moves on; meanwhile it runs: `overrideProvider(Clock).useValue(clock)`. */
export class MovableClock extends Clock {
  protected movedMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.movedMs;
  }

  advance(ms: number): void {
    this.movedMs += ms;
  }
}

/** Stands still until it is moved. */
export class SettableClock extends MovableClock {
  private readonly startedAt = Date.now();

  override now(): Date {
    return new Date(this.startedAt + this.movedMs);
  }

  override monotonicMs(): number {
    return this.movedMs;
  }
}
