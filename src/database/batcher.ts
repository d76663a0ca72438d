export interface BatchLimits {
  /** Batches under way at once. */
  readonly underWay: number;
  /** Items of one batch. */
  readonly size: number;
}

/** Hands over together what came in one turn of the event loop, or while earlier batches were under way. */
export class Batcher<Item> {
  private waiting: Item[] = [];
  private underWay = 0;
  private scheduled = false;

  /** `carryOut` tells each item its outcome and never fails itself. */
  constructor(
    private readonly limits: BatchLimits,
    private readonly carryOut: (items: Item[]) => Promise<void>,
  ) {}

  add(item: Item): void {
    this.waiting.push(item);
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.underWay >= this.limits.underWay || this.waiting.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.underWay += 1;
      void this.carryOut(this.waiting.splice(0, this.limits.size)).finally(() => {
        this.underWay -= 1;
        this.schedule();
      });
      this.schedule();
    });
  }
}
