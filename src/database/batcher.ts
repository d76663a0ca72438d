export interface BatchLimits {
  /** Batches in progress at a time, besides a few slow ones. */
  readonly underWay: number;
  /** Items of one batch. */
  readonly size: number;
}

/** A batch that takes longer waits for another transaction's lock, and other batches must not wait for that. */
const LASTING_MS = 200;
/** Batches that last: beyond these, connections would run out. */
const MOST_LASTING = 2;

/** Hands over together what came in one turn of the event loop, or while earlier batches were under way. */
export class Batcher<Item> {
  private waiting: Item[] = [];
  private underWay = 0;
  private lasting = 0;
  private scheduled = false;

  /** `carryOut` settles each item itself and never fails. */
  constructor(
    private readonly limits: BatchLimits,
    private readonly carryOut: (items: Item[]) => Promise<void>,
  ) {}

  add(item: Item): void {
    this.waiting.push(item);
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || !this.hasRoom() || this.waiting.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.run(this.waiting.splice(0, this.limits.size));
      this.schedule();
    });
  }

  private hasRoom(): boolean {
    return this.underWay - Math.min(this.lasting, MOST_LASTING) < this.limits.underWay;
  }

  private async run(items: Item[]): Promise<void> {
    let lasts = false;
    this.underWay += 1;
    const timer = setTimeout(() => {
      lasts = true;
      this.lasting += 1;
      this.schedule();
    }, LASTING_MS);
    await this.carryOut(items);
    clearTimeout(timer);
    this.underWay -= 1;
    if (lasts) this.lasting -= 1;
    this.schedule();
  }
}
