/** The wall clock and what was added to it. */
export class ChainClock {
  constructor(
    private aheadMs: number,
    private readonly onMove: (aheadMs: number) => void,
  ) {}

  now(): number {
    return Date.now() + this.aheadMs;
  }
  advance(ms: number): void {
    this.aheadMs += ms;
    this.onMove(this.aheadMs);
  }
  /** Never back: a time that has passed stays passed. */
  reach(time: number): void {
    if (time > this.now()) this.advance(time - this.now());
  }
}
