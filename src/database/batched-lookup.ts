import type { QueryResultRow } from 'pg';
import type { Queryable, Statement } from './sql';

/** Statements of one lookup under way at once; one alone would leave the database idle while its answer is read here. */
const MOST_UNDER_WAY = 2;

interface Waiting<Row> {
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One statement for the keys of all callers that ask in the same turn: under load a round trip is most of what a lookup costs.
 * Each key is read after it was asked for, so an answer is never older than the question, as a cache's would be.
 * The statement takes an array of keys and returns the row of each found one with its `key`.
 */
export class BatchedLookup<Row extends QueryResultRow & { key: string }> {
  private waiting = new Map<string, Waiting<Row>[]>();
  private underWay = 0;
  private scheduled = false;

  constructor(
    private readonly db: Queryable,
    private readonly statement: Statement,
  ) {}

  find(key: string): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      const others = this.waiting.get(key);
      if (others) others.push({ resolve, reject });
      else this.waiting.set(key, [{ resolve, reject }]);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.underWay >= MOST_UNDER_WAY || this.waiting.size === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      const batch = this.waiting;
      this.waiting = new Map();
      this.underWay += 1;
      void this.ask(batch).finally(() => {
        this.underWay -= 1;
        this.schedule();
      });
    });
  }

  private async ask(batch: ReadonlyMap<string, Waiting<Row>[]>): Promise<void> {
    try {
      const rows = await this.db.rows<Row>(this.statement, [[...batch.keys()]]);
      const found = new Map(rows.map((row) => [row.key, row]));
      for (const [key, callers] of batch) for (const { resolve } of callers) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const callers of batch.values()) for (const { reject } of callers) reject(error);
    }
  }
}
