import type { Clock } from '../clock';

/** One reading for all who ask while it is under way, and for so long after its end; one that failed is not kept. */
export class KeptRead<T> {
  private latest: Promise<T> | null = null;
  private endedAtMs: number | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly keptMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  get(): Promise<T> {
    const isOld = this.endedAtMs !== null && this.clock.monotonicMs() - this.endedAtMs >= this.keptMs;
    if (this.latest === null || isOld) this.begin();
    return this.latest!;
  }

  private begin(): void {
    this.endedAtMs = null;
    this.latest = this.read();
    this.latest.then(
      () => (this.endedAtMs = this.clock.monotonicMs()),
      () => (this.latest = null),
    );
  }
}
