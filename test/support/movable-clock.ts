import { Clock } from '../../src/common/clock';

/** Runs, and can be moved on: `overrideProvider(Clock).useValue(clock)`. */
export class MovableClock extends Clock {
  private movedMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.movedMs;
  }

  advance(ms: number): void {
    this.movedMs += ms;
  }
}
