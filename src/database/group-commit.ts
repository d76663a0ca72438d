import { DatabaseError } from 'pg';
import { Batcher } from './batcher';
import { CommitUnknownError } from './commit-unknown.error';

export const MOST_WRITTEN_TOGETHER = 50;
/** One transaction of a group at a time: those that come while it is committed are the next one's. */
const TOGETHER = { underWay: 1, size: MOST_WRITTEN_TOGETHER };
/** Each on a connection of its own, which others need too. */
const ALONE = { underWay: 5, size: 1 };

/** What cannot be written together with others: a result for it comes from a transaction of its own. */
export const WRITE_ALONE = Symbol('alone');

interface Writes<Item, Result> {
  /** What may be written together: items of one group. */
  readonly groupOf?: (item: Item) => string;
  /** In one transaction. Gives a result for each item, in their order. */
  readonly together: (items: readonly Item[]) => Promise<readonly (Result | typeof WRITE_ALONE)[]>;
  readonly alone: (item: Item) => Promise<Result>;
}

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One transaction for what many callers write at the same moment: under load, statements and commits are most of what a write
 * costs. One that cannot be written with the others is written alone, so it neither harms them nor is answered for them.
 */
export class GroupCommit<Item, Result> {
  private readonly groups = new Map<string, Batcher<Asked<Item, Result>>>();
  private readonly individual = new Batcher<Asked<Item, Result>>(ALONE, ([one]) => this.writeAlone(one!));

  constructor(private readonly writes: Writes<Item, Result>) {}

  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => this.batcherOf(item).add({ item, resolve, reject }));
  }

  private batcherOf(item: Item): Batcher<Asked<Item, Result>> {
    const group = this.writes.groupOf?.(item) ?? '';
    let batcher = this.groups.get(group);
    if (!batcher) {
      batcher = new Batcher(TOGETHER, (asked) => this.writeTogether(asked));
      this.groups.set(group, batcher);
    }
    return batcher;
  }

  private async writeTogether(asked: readonly Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await this.writes.together(asked.map(({ item }) => item));
      for (const [index, one] of asked.entries()) {
        const result = results[index]!;
        if (result === WRITE_ALONE) this.individual.add(one);
        else one.resolve(result);
      }
    } catch (error) {
      // An unknown commit is looked up, never repeated.
      const isOfOne = !(error instanceof CommitUnknownError) && isRefusal(error);
      for (const one of asked) {
        if (asked.length > 1 && isOfOne) this.individual.add(one);
        else one.reject(error);
      }
    }
  }

  private writeAlone({ item, resolve, reject }: Asked<Item, Result>): Promise<void> {
    return this.writes.alone(item).then(resolve, reject);
  }
}

/** Classes of SQLSTATE that speak of the server (full, going, coming), not of what was written. */
const OF_THE_SERVER = /^5[37]/;

/** With one statement the server has refused the transaction: nothing is written, and it may have been one item's fault. */
function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && !OF_THE_SERVER.test(error.code ?? '');
}
