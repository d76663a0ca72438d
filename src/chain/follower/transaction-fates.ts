import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../database/sql';
import type { Block } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { inParallel } from './in-parallel';
import { MARK_DEAD, MARK_DROPPED, MARK_FINAL, MARK_INCLUDED } from '../outbox/outbox.statements';

/**
 * What the rest of the service does when the chain has decided something. Each method runs in the database transaction that
 * also records the fact, so that money and state move together with it or not at all; each is called once per fact, with as many
 * rows of one block as are recorded together.
 */
export interface FateObserver {
  included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  /** A fork took the block back. */
  dropped(tx: SqlTransaction, row: OutboxRow): Promise<void>;
  final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  dead(tx: SqlTransaction, row: OutboxRow): Promise<void>;
}

type Row = OutboxRow & Record<string, unknown>;

/** What could not be recorded, and why. */
export interface Unrecorded {
  readonly row: Row;
  readonly error: unknown;
}

/** Writes down what blocks prove. Conditional updates: of several instances that see the same block, one is first. */
@Injectable()
export class TransactionFates {
  private observer: FateObserver | null = null;

  constructor(private readonly sql: Sql) {}

  /** The delegation module's; there is one order's life, so there is one observer. */
  observe(observer: FateObserver): void {
    this.observer = observer;
  }

  included(rows: readonly Row[], block: Block): Promise<Unrecorded[]> {
    return this.recordAll('included', MARK_INCLUDED, rows, block);
  }

  dropped(row: OutboxRow): Promise<void> {
    return this.record('dropped', MARK_DROPPED, [row.id, row.block_id]);
  }

  final(rows: readonly Row[], block: Block): Promise<Unrecorded[]> {
    return this.recordAll('final', MARK_FINAL, rows, block);
  }

  dead(row: OutboxRow): Promise<void> {
    return this.record('dead', MARK_DEAD, [row.id]);
  }

  private record(fate: 'dropped' | 'dead', statement: typeof MARK_DEAD, values: unknown[]): Promise<void> {
    return this.sql.transaction(async (tx) => {
      const row = await tx.row<Row>(statement, values);
      if (row) await this.observer?.[fate](tx, row);
    });
  }

  /** All of them together; one by one when that fails, so that a poisoned row keeps no other from being recorded. */
  private async recordAll(
    fate: 'included' | 'final',
    statement: typeof MARK_FINAL,
    rows: readonly Row[],
    block: Block,
  ): Promise<Unrecorded[]> {
    const record = (some: readonly Row[]) =>
      this.sql.transaction(async (tx) => {
        const ids = some.map(({ id }) => id);
        const marked = await tx.rows<Row>(statement, [ids, block.number, block.id, block.timeMs]);
        if (marked.length > 0) await this.observer?.[fate](tx, marked);
      });
    if (
      rows.length > 1 &&
      (await record(rows).then(
        () => true,
        () => false,
      ))
    )
      return [];
    const unrecorded: Unrecorded[] = [];
    await inParallel(rows, (row) => record([row]).catch((error: unknown) => void unrecorded.push({ row, error })));
    return unrecorded;
  }
}
