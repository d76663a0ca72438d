import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';

export const PG_POOL = Symbol('PG_POOL');

/** A statement PostgreSQL plans once per connection: the name must be unique to the text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Queryable {
  /** bigint columns come back as `bigint`, timestamps as `Date`. */
  rows<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row[]>;
  /** The first row, or null. */
  row<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row | null>;
  /** How many rows an insert, update or delete touched. */
  execute(statement: Statement, values?: unknown[]): Promise<number>;
}

class Session implements Queryable {
  constructor(private readonly target: Pool | PoolClient) {}

  async rows<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.target.query<Row>({ ...statement, values })).rows;
  }

  async row<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row | null> {
    return (await this.rows<Row>(statement, values))[0] ?? null;
  }

  async execute(statement: Statement, values: unknown[] = []): Promise<number> {
    return (await this.target.query({ ...statement, values })).rowCount ?? 0;
  }
}

/**
 * An open transaction. Methods that move money take one, so that they cannot run outside of it;
 * only `Sql.transaction` makes them, and `afterCommit` is the one way to act on what was committed.
 */
export class SqlTransaction extends Session {
  private readonly callbacks: (() => void)[] = [];

  /** Runs once the commit is acknowledged, never after a rollback. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** @internal */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }
}

/** Hand-written SQL for what runs on every request; everything else goes through MikroORM. */
@Injectable()
export class Sql extends Session {
  constructor(@Inject(PG_POOL) private readonly pool: Pool) {
    super(pool);
  }

  /** Read committed; rolled back when `work` throws. Nothing in `work` may await the network. */
  async transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const tx = new SqlTransaction(client);
    let result: T;
    try {
      await client.query('begin');
      result = await work(tx);
      await client.query('commit');
    } catch (error) {
      // A connection that cannot even roll back is thrown away: what it holds is unknown.
      const broken = await client.query('rollback').then(
        () => undefined,
        (reason: unknown) => reason as Error,
      );
      client.release(broken);
      throw error;
    }
    client.release();
    tx.committed();
    return result;
  }
}
