/** The work in front of it took longer than it could wait. */
export class LaneFullError extends Error {}

/** Carries out so many pieces of work at a time; the others wait, first come, first served. */
export class Lane {
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  constructor(
    private readonly width: number | (() => number),
    private readonly longestWaitMs = Infinity,
  ) {}

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** @throws LaneFullError when its turn does not come in time; `work` was not begun then */
  async run<T>(work: () => Promise<T>, longestWaitMs = this.longestWaitMs): Promise<T> {
    await this.enter(longestWaitMs);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(longestWaitMs: number): Promise<void> {
    if (this.hasRoom()) this.underWay += 1;
    else await this.turn(longestWaitMs);
  }

  private turn(longestWaitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.push(begin);
      if (longestWaitMs === Infinity) return;
      timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(new LaneFullError(`no turn in ${Math.round(longestWaitMs)} ms`));
      }, longestWaitMs);
    });
  }

  private hasRoom(): boolean {
    return this.underWay < (typeof this.width === 'number' ? this.width : this.width());
  }

  /** Its place goes to the next in the row, or becomes free. */
  private leave(): void {
    this.underWay -= 1;
    while (this.waiting.length > 0 && this.hasRoom()) {
      this.underWay += 1;
      this.waiting.shift()!();
    }
  }
}
