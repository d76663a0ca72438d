import { Inject, Injectable, Optional } from '@nestjs/common';
import { DatabaseError, type PoolClient, type QueryResult } from 'pg';
import { awaitAll } from '../common/concurrency/await-all';
import { Lane } from '../common/concurrency/lane';
import { CrashPoints } from '../common/crash-points';
import { CommitUnknownError } from './commit-unknown.error';
import { beforeCommit, beforeStatement, committed } from './commit.crash-points';
import { CONNECTION_LIMITS } from './connection-limits';
import { isReadOnlyRefusal } from './database-hosts';
import { setWhereKnown, UNTIMED_TRANSACTIONS } from './later-settings';
import type { ServicePool } from './service-pool';
import type { NamedText, Statement } from './statement';

export type { Statement } from './statement';

export const PG_POOL = Symbol('PG_POOL');

const MOST_SNAPSHOTS = 4;
/** The panel cuts an export a moment earlier. */
const SNAPSHOT_LIMITS = { idle_in_transaction_session_timeout: String(16 * 60_000), ...UNTIMED_TRANSACTIONS };

/** What answers statements: the pool, or an open transaction. */
export abstract class Queryable {
  protected abstract run(statement: NamedText, values: unknown[]): Promise<QueryResult>;

  rows<Row>(statement: Statement<[], Row>): Promise<Row[]>;
  rows<Params extends readonly unknown[], Row>(statement: Statement<Params, Row>, values: Params): Promise<Row[]>;
  async rows(statement: NamedText, values: readonly unknown[] = []): Promise<unknown[]> {
    return (await this.run(statement, [...values])).rows;
  }

  /** The first row, or null. */
  row<Row>(statement: Statement<[], Row>): Promise<Row | null>;
  row<Params extends readonly unknown[], Row>(statement: Statement<Params, Row>, values: Params): Promise<Row | null>;
  async row(statement: NamedText, values: readonly unknown[] = []): Promise<unknown> {
    return (await this.run(statement, [...values])).rows[0] ?? null;
  }

  /** How many rows an insert, update or delete touched. */
  execute(statement: Statement<[]>): Promise<number>;
  execute<Params extends readonly unknown[]>(statement: Statement<Params>, values: Params): Promise<number>;
  async execute(statement: NamedText, values: readonly unknown[] = []): Promise<number> {
    return (await this.run(statement, [...values])).rowCount ?? 0;
  }
}

/**
 * An open transaction. Methods that move money take one, so that they cannot run outside of it;
 * only `Sql.transaction` makes them, and `afterCommit` is the one way to act on what was committed.
 */
export class SqlTransaction extends Queryable {
  /** @internal Names of the statements so far. */
  readonly ran: string[] = [];
  private readonly callbacks: (() => void)[] = [];
  private readonly deferred: Promise<unknown>[] = [];
  private isOver = false;

  constructor(
    private readonly client: PoolClient,
    private readonly crashPoints?: CrashPoints,
  ) {
    super();
  }

  /** For statements that nothing here waits for: they go out with the commit, which fails when one of them does. */
  defer(answer: Promise<unknown>): void {
    // The commit reports it; without this a rejection would count as unhandled until then.
    answer.catch(() => undefined);
    this.requireOpen();
    this.deferred.push(answer);
  }

  /** @internal @throws what the first deferred statement that failed has thrown, first in the order they were sent */
  async answered(): Promise<void> {
    await awaitAll(...this.deferred);
  }

  /** Runs once the commit is acknowledged, never after a rollback. */
  afterCommit(callback: () => void): void {
    this.requireOpen();
    this.callbacks.push(callback);
  }

  /** @internal Nothing more belongs to it: its connection will be somebody else's, in a transaction of theirs. */
  end(): void {
    this.isOver = true;
  }

  /** @internal */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }

  protected async run({ name, text }: NamedText, values: unknown[]): Promise<QueryResult> {
    this.requireOpen(name);
    this.crashPoints?.reached(beforeStatement(name));
    this.ran.push(name);
    return this.client.query({ name, text, values });
  }

  private requireOpen(statement?: string): void {
    if (this.isOver) throw new TransactionEndedError(statement);
  }
}

/** A defect: something that no code awaited went on after the end of its transaction. */
export class TransactionEndedError extends Error {
  constructor(statement = 'a callback or an answer') {
    super(`the transaction has ended before ${statement}`);
  }
}

/** Statements of the service. MikroORM describes the tables and their migrations, and reads where a row is all that is wanted. */
@Injectable()
export class Sql extends Queryable {
  /** A request waits for its turn as long as for a connection. */
  private readonly transactions = new Lane(() => this.pool.mostTransactions, CONNECTION_LIMITS.connectionTimeoutMillis);
  /** A few: each keeps its connection as long as its reader takes. */
  private readonly snapshots = new Lane(MOST_SNAPSHOTS, CONNECTION_LIMITS.connectionTimeoutMillis);

  constructor(
    @Inject(PG_POOL) private readonly pool: ServicePool,
    @Optional() private readonly crashPoints?: CrashPoints,
  ) {
    super();
  }

  /** Transactions that have no connection yet because so many others are open. */
  get waitingTransactions(): number {
    return this.transactions.waitingCount;
  }

  /**
   * Read committed; rolled back when `work` throws. Nothing in `work` may await the network.
   * @throws CommitUnknownError when the commit was sent but not acknowledged; LaneFullError with nothing begun
   */
  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return this.transactions.run(() => this.carryOut(work));
  }

  /**
   * Reads the database as it was when `work` began, however long the reader of its rows takes: what others commit meanwhile is not in it.
   * Ends with its reader, also one that stops early. Nothing can be written in it.
   * @throws LaneFullError with nothing begun
   */
  async *stream<T>(work: (tx: SqlTransaction) => AsyncIterable<T>): AsyncGenerator<T> {
    const leave = await turnOf(this.snapshots);
    try {
      const client = await this.pool.connect();
      const tx = new SqlTransaction(client, this.crashPoints);
      try {
        await client.query(`begin isolation level repeatable read read only`);
        // The server would end the transaction of a reader who pauses for half a minute, or takes longer than any transaction may.
        await setWhereKnown(client, SNAPSHOT_LIMITS, 'transaction');
        yield* work(tx);
      } finally {
        tx.end();
        client.release(await rollback(client));
      }
    } finally {
      leave();
    }
  }

  /** What `work` reads, all of it as the database was at one moment. */
  async snapshot<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    const read = this.stream(async function* (tx) {
      yield await work(tx);
    });
    for await (const result of read) return result;
    throw new Error('the snapshot ended before it was read');
  }

  private async carryOut<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const tx = new SqlTransaction(client, this.crashPoints);
    let fault: Error | undefined;
    try {
      const result = await this.runAndCommit(client, tx, work);
      tx.committed();
      return result;
    } catch (error) {
      tx.end();
      // A connection that cannot even roll back is thrown away: what it holds is unknown.
      // Nor is one used again that is at a server without writes: its place has been taken by another.
      fault =
        error instanceof CommitUnknownError || isReadOnlyRefusal(error) ? (error as Error) : await rollback(client);
      throw error;
    } finally {
      client.release(fault);
    }
  }

  /** In the caller's transaction where there is one, else in one of its own. */
  within<T>(tx: SqlTransaction | undefined, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return tx ? work(tx) : this.transaction(work);
  }

  private async runAndCommit<T>(
    client: PoolClient,
    tx: SqlTransaction,
    work: (tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    // Awaited, although statements are pipelined: without it each of them would commit by itself. No lock is held yet.
    await client.query('begin');
    const result = await work(tx);
    const points = beforeCommit(tx.ran);
    if (this.crashPoints?.isSet(points)) await tx.answered();
    this.crashPoints?.reached(points);
    tx.end();
    const commit = await client.query('commit').catch((error: unknown) => {
      throw isRefusedAtCommit(error) ? error : new CommitUnknownError(error, result);
    });
    // PostgreSQL answers the commit of a transaction in which a statement failed with ROLLBACK, and with no error.
    await tx.answered();
    if (commit.command !== 'COMMIT') throw new Error('the transaction had failed before its commit');
    this.crashPoints?.reached(committed(tx.ran));
    return result;
  }

  protected async run({ name, text }: NamedText, values: unknown[]): Promise<QueryResult> {
    const result = await this.pool.query({ name, text, values });
    this.crashPoints?.reached(committed([name]));
    return result;
  }
}

/** The turn, once it comes; it lasts until the returned function is called. */
function turnOf(lane: Lane): Promise<() => void> {
  return new Promise((begun, refused) => {
    lane.run(() => new Promise<void>((leave) => begun(leave))).catch(refused);
  });
}

/** A deferred constraint, which PostgreSQL looks at before anything is committed. */
function isRefusedAtCommit(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('23') === true;
}

async function rollback(client: PoolClient): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
}
