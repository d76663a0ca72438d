import { Injectable } from '@nestjs/common';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { isLockRefused, SHORT_LOCK_TIMEOUT } from '../../database/short-lock-timeout';
import { Sql, type SqlTransaction } from '../../database/sql';
import type { Block } from '../tron/node/block-answer';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import type { DroppedRow, OutboxRow } from '../transactions/outbox/outbox-row';
import type { Outcome, OutcomeListener } from '../transactions/kinds/transaction-kind';
import { TransactionKinds } from '../transactions/kinds/transaction-kinds';

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
  constructor(
    private readonly sql: Sql,
    private readonly transactions: ChainTransactionRepository,
    private readonly kinds: TransactionKinds,
  ) {}

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
    const txIds = new Map(
      rows.map(({ id, purpose, tx_id: txId }) => [id, this.kinds.find(purpose)?.isProved ? txId : null]),
    );
    const proofOf = (id: bigint) => block.transactions?.inclusionOf(txIds.get(id) ?? '') ?? null;
    const mark: Recording['mark'] = (tx, ids) =>
      this.transactions.markFinal(tx, new Map(ids.map((id) => [id, proofOf(id)])), block);
    return this.recordAll({ outcome: 'final', mark, payer }, rows);
  }

  dead(rows: readonly OutboxRow[], payer: string | null = null): Promise<Unrecorded[]> {
    const mark: Recording['mark'] = (tx, ids) => this.transactions.markDead(tx, ids);
    return this.recordAll({ outcome: 'dead', mark, payer }, rows);
  }

  /** Whether readings of every node agree, where this block cannot be proved. Of a kind that has none to compare an operator decides. */
  async agree(row: OutboxRow, hasLanded: boolean, number: number): Promise<boolean> {
    if (!this.kinds.find(row.purpose)) return false;
    return (await this.kinds.listenerOf(row.purpose).agrees?.(row, hasLanded, number)) ?? false;
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
      const listeners = this.byListener(rows);
      tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
      if (payer) for (const listener of listeners.keys()) await listener.awaitPayer?.(tx, payer);
      const open = await this.transactions.lockOpen(tx, byId.keys(), knownIn);
      const ours = this.byListener(open.filter(({ is_locked: isLocked }) => isLocked));
      const ready = new Set<bigint>();
      for (const [listener, locked] of ours)
        for (const { id } of await listener.lock(tx, outcome, locked)) ready.add(id);
      const marked = ready.size > 0 ? await mark(tx, [...ready]) : [];
      for (const [listener, changed] of this.byListener(marked)) await this.notify(listener, tx, outcome, changed);
      return open.filter(({ id }) => !ready.has(id)).map(({ id }) => ({ row: byId.get(id)!, error: null }));
    });
  }

  /** In the order in which they have registered. @throws UnknownKindError */
  private byListener<Row extends { readonly purpose: string }>(rows: readonly Row[]): Map<OutcomeListener, Row[]> {
    return Map.groupBy(rows, ({ purpose }) => this.kinds.listenerOf(purpose));
  }

  private async notify(
    listener: OutcomeListener,
    tx: SqlTransaction,
    outcome: Outcome,
    rows: readonly OutboxRow[],
  ): Promise<void> {
    if (outcome === 'included' || outcome === 'final') return listener[outcome](tx, rows);
    for (const row of rows) await listener[outcome](tx, row as DroppedRow);
  }
}
