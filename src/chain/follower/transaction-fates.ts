import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../database/sql';
import type { Block } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { MARK_DEAD, MARK_DROPPED, MARK_FINAL, MARK_INCLUDED } from '../outbox/outbox.statements';

/**
 * What the rest of the service does when the chain has decided something. Each method runs in the database transaction that
 * also records the fact, so that money and state move together with it or not at all; each is called once per fact.
 */
export interface FateObserver {
  included(tx: SqlTransaction, row: OutboxRow): Promise<void>;
  /** A fork took the block back. */
  dropped(tx: SqlTransaction, row: OutboxRow): Promise<void>;
  final(tx: SqlTransaction, row: OutboxRow): Promise<void>;
  dead(tx: SqlTransaction, row: OutboxRow): Promise<void>;
}

type Row = OutboxRow & Record<string, unknown>;

/** Writes down what blocks prove. Conditional updates: of several instances that see the same block, one is first. */
@Injectable()
export class TransactionFates {
  private observer: FateObserver | null = null;

  constructor(private readonly sql: Sql) {}

  /** The delegation module's; there is one order's life, so there is one observer. */
  observe(observer: FateObserver): void {
    this.observer = observer;
  }

  included(row: OutboxRow, block: Block): Promise<void> {
    return this.record('included', MARK_INCLUDED, [row.id, block.number, block.id, block.timeMs]);
  }

  dropped(row: OutboxRow): Promise<void> {
    return this.record('dropped', MARK_DROPPED, [row.id, row.block_id]);
  }

  final(row: OutboxRow, block: Block): Promise<void> {
    return this.record('final', MARK_FINAL, [row.id, block.number, block.id, block.timeMs]);
  }

  dead(row: OutboxRow): Promise<void> {
    return this.record('dead', MARK_DEAD, [row.id]);
  }

  private record(fate: keyof FateObserver, statement: typeof MARK_FINAL, values: unknown[]): Promise<void> {
    return this.sql.transaction(async (tx) => {
      const row = await tx.row<Row>(statement, values);
      if (row) await this.observer?.[fate](tx, row);
    });
  }
}
