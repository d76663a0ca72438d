import { Clock } from '../../src/common/clock';

/** Stands still until it is moved: `overrideProvider(Clock).useValue(clock)`. */
export class SettableClock extends Clock {
  private passedMs = 0;
  private readonly startedAt = Date.now();

  override now(): Date {
    return new Date(this.startedAt + this.passedMs);
  }

  override monotonicMs(): number {
    return this.passedMs;
  }

  advance(ms: number): void {
    this.passedMs += ms;
  }
}
