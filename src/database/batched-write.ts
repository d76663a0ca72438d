import { DatabaseError } from 'pg';
import { Batcher } from './batcher';
import { CommitUnknownError } from './commit-unknown.error';

export const MOST_WRITTEN_TOGETHER = 50;
/** One transaction at a time: those that come while it is committed are the next one's. */
const LIMITS = { underWay: 1, size: MOST_WRITTEN_TOGETHER };

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One transaction for what many callers write at the same moment: under load, statements and commits are most of what a write
 * costs. One that cannot be written with the others is written alone, so it neither harms them nor is answered for them.
 */
export class BatchedWrite<Item, Result> {
  private readonly batcher = new Batcher<Asked<Item, Result>>(LIMITS, (asked) => this.writeTogether(asked));

  /** `write` gives a result for each item, in their order; `undefined`, never for a lone one: write this one alone. */
  constructor(private readonly write: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>) {}

  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => this.batcher.add({ item, resolve, reject }));
  }

  private async writeTogether(asked: readonly Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(asked.map(({ item }) => item));
      for (const [index, one] of asked.entries()) {
        const result = results[index];
        if (result !== undefined) one.resolve(result);
        // Nobody waits for these here: what keeps one of them from being written must not hold up the next batch.
        else this.writeAlone(one);
      }
    } catch (error) {
      const separable = asked.length > 1 && isRefusal(error);
      for (const one of asked) {
        if (separable) this.writeAlone(one);
        else one.reject(error);
      }
    }
  }

  private writeAlone({ item, resolve, reject }: Asked<Item, Result>): void {
    this.write([item]).then(([result]) => resolve(result!), reject);
  }
}

/** The server has refused a statement, and with it the transaction: nothing is written, and others may be without fault. */
function isRefusal(error: unknown): boolean {
  if (error instanceof CommitUnknownError || !(error instanceof Error)) return false;
  return error instanceof DatabaseError || error.cause instanceof DatabaseError;
}
