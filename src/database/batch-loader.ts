import { Batcher } from './batcher';
import type { Queryable, Statement } from './sql';

/** Two statements of one lookup: one alone would leave the database idle while its answer is read here. */
const LIMITS = { underWay: 2, size: 1_000 };

interface Asked<Row> {
  readonly key: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One statement for the keys of all callers that ask in the same turn: under load a round trip is most of what a lookup costs.
 * Each key is read after it was asked for, so an answer is never older than the question, as a cache's would be.
 * The statement takes an array of keys and returns the row of each found one with its `key`.
 */
export class BatchLoader<Row extends { readonly key: string }> {
  private readonly batcher = new Batcher<Asked<Row>>(LIMITS, (asked) => this.ask(asked));

  constructor(
    private readonly db: Queryable,
    private readonly statement: Statement<[keys: readonly string[]], NoInfer<Row>>,
  ) {}

  find(key: string): Promise<Row | null> {
    return new Promise((resolve, reject) => this.batcher.add({ key, resolve, reject }));
  }

  private async ask(asked: readonly Asked<Row>[]): Promise<void> {
    try {
      const keys = new Set(asked.map(({ key }) => key));
      const rows = await this.db.rows(this.statement as Statement<[keys: readonly string[]], Row>, [[...keys]]);
      const found = new Map(rows.map((row) => [row.key, row]));
      for (const { key, resolve } of asked) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
