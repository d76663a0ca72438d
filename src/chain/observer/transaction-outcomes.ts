import { Injectable } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { isLockRefused, SHORT_LOCK_TIMEOUT } from '../../database/short-lock-timeout';
import { Sql, type SqlTransaction } from '../../database/sql';
import type { Block } from '../tron/node/block-answer';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import type { DecidedRow, OutboxRow } from '../transactions/outbox/outbox-row';

export type { DecidedRow } from '../transactions/outbox/outbox-row';

export type Outcome = 'included' | 'dropped' | 'final' | 'dead';

/**
 * What the rest of the service does about an outcome. Each method runs in the database transaction that records the outcome, so that
 * money and states change together with it or not at all. Called once per outcome, with all rows of a block that are recorded together.
 */
export interface OutcomeListener {
  /** Locks what the outcome will change, without waiting, and gives the rows for which it got every lock. */
  lock(tx: SqlTransaction, outcome: Outcome, rows: readonly DecidedRow[]): Promise<readonly DecidedRow[]>;
  /** Waits for a locked account. Called first in its transaction, which holds no other lock while it waits. */
  awaitPayer(tx: SqlTransaction, userId: string): Promise<void>;
  included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  /** A fork dropped the block. */
  dropped(tx: SqlTransaction, row: OutboxRow): Promise<void>;
  final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  dead(tx: SqlTransaction, row: OutboxRow): Promise<void>;
}

/** A row whose outcome could not be recorded, and why; without an error, another transaction has it locked. */
export interface Unrecorded {
  readonly row: OutboxRow;
  readonly error: unknown;
}

interface Recording {
  readonly outcome: Outcome;
  /** Writes the outcome into the rows, which are locked by then, and gives those that it changed. */
  readonly mark: (tx: SqlTransaction, ids: readonly bigint[]) => Promise<OutboxRow[]>;
  /** Rows already recorded in this block are left out. */
  readonly knownIn?: string;
  /** The user whose account lock is waited for. */
  readonly payer?: string | null;
}

/**
 * Records what blocks prove. The updates are conditional: of several instances that see the same block, only the first one records it.
 * Locked rows are not waited for, because one locked account would delay the outcomes of all others: they are given back to the caller.
 */
@Injectable()
export class TransactionOutcomes {
  private listener: OutcomeListener | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly transactions: ChainTransactionRepository,
  ) {}

  /** There is one listener, the delegation module's. */
  listen(listener: OutcomeListener): void {
    this.listener = listener;
  }

  included(rows: readonly OutboxRow[], block: Block): Promise<Unrecorded[]> {
    const mark: Recording['mark'] = (tx, ids) => this.transactions.markIncluded(tx, ids, block);
    return this.recordAll({ outcome: 'included', mark, knownIn: block.id }, rows);
  }

  dropped(row: OutboxRow): Promise<Unrecorded[]> {
    const mark: Recording['mark'] = (tx, ids) => this.transactions.markDropped(tx, ids, row.block_id);
    return this.recordAll({ outcome: 'dropped', mark }, [row]);
  }

  /** With `payer`: all rows belong to that user, whose account lock is waited for briefly. */
  final(rows: readonly OutboxRow[], block: Block, payer: string | null = null): Promise<Unrecorded[]> {
    const txIds = new Map(rows.map(({ id, purpose, tx_id: txId }) => [id, purpose === 'delegation' ? txId : null]));
    const proofOf = (id: bigint) => block.transactions?.inclusionOf(txIds.get(id) ?? '') ?? null;
    const mark: Recording['mark'] = (tx, ids) =>
      this.transactions.markFinal(tx, new Map(ids.map((id) => [id, proofOf(id)])), block);
    return this.recordAll({ outcome: 'final', mark, payer }, rows);
  }

  dead(rows: readonly OutboxRow[], payer: string | null = null): Promise<Unrecorded[]> {
    const mark: Recording['mark'] = (tx, ids) => this.transactions.markDead(tx, ids);
    return this.recordAll({ outcome: 'dead', mark, payer }, rows);
  }

  /** All rows together; one by one when that fails, so that one faulty row does not block the others. */
  private async recordAll(recording: Recording, rows: readonly OutboxRow[]): Promise<Unrecorded[]> {
    if (rows.length > 1) {
      const together = await this.record(recording, rows).catch((error: unknown) => {
        const payerIsLocked = Boolean(recording.payer) && isLockRefused(error);
        return payerIsLocked ? rows.map((row) => ({ row, error: null })) : null;
      });
      if (together) return together;
    }
    const unrecorded: Unrecorded[] = [];
    await forEachConcurrently(rows, async (row) => {
      const left = await this.record(recording, [row]).catch((error: unknown) => [
        { row, error: isLockRefused(error) ? null : error },
      ]);
      unrecorded.push(...left);
    });
    return unrecorded;
  }

  private record({ outcome, mark, knownIn, payer }: Recording, rows: readonly OutboxRow[]): Promise<Unrecorded[]> {
    const byId = new Map(rows.map((row) => [row.id, row]));
    return this.sql.transaction(async (tx) => {
      const listener = this.listener!;
      tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
      if (payer) await listener.awaitPayer(tx, payer);
      const open = await this.transactions.lockOpen(tx, byId.keys(), knownIn);
      const ours = open.filter(({ is_locked: isLocked }) => isLocked);
      const ready = new Set((ours.length > 0 ? await listener.lock(tx, outcome, ours) : []).map(({ id }) => id));
      const marked = ready.size > 0 ? await mark(tx, [...ready]) : [];
      if (marked.length > 0) await this.notify(listener, tx, outcome, marked);
      return open.filter(({ id }) => !ready.has(id)).map(({ id }) => ({ row: byId.get(id)!, error: null }));
    });
  }

  private async notify(
    listener: OutcomeListener,
    tx: SqlTransaction,
    outcome: Outcome,
    rows: readonly OutboxRow[],
  ): Promise<void> {
    if (outcome === 'included' || outcome === 'final') return listener[outcome](tx, rows);
    for (const row of rows) await listener[outcome](tx, row);
  }
}
