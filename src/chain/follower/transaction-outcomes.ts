import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { SHORT_LOCK_TIMEOUT } from '../../database/short-lock-timeout';
import { Sql, type SqlTransaction, type Statement } from '../../database/sql';
import type { Block } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { LOCK_OPEN, MARK_DEAD, MARK_DROPPED, MARK_FINAL, MARK_INCLUDED } from '../outbox/outbox.statements';

export type Outcome = 'included' | 'dropped' | 'final' | 'dead';
export type DecidedRow = Pick<OutboxRow, 'id' | 'purpose' | 'delegation_id'>;

/**
 * What the rest of the service does when the chain has decided something. Each method runs in the database transaction that
 * also records the fact, so that money and state move together with it or not at all; each is called once per fact, with as many
 * rows of one block as are recorded together.
 */
export interface OutcomeListener {
  /** Locks what the outcome will change and gives the rows whose share it has got. Waits for nobody. */
  lock(tx: SqlTransaction, outcome: Outcome, rows: readonly DecidedRow[]): Promise<readonly DecidedRow[]>;
  /** Waits for the account that others have locked; first in its transaction, which holds nothing meanwhile. */
  awaitPayer(tx: SqlTransaction, userId: string): Promise<void>;
  included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  /** A fork took the block back. */
  dropped(tx: SqlTransaction, row: OutboxRow): Promise<void>;
  final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void>;
  dead(tx: SqlTransaction, row: OutboxRow): Promise<void>;
}

type Row = OutboxRow & Record<string, unknown>;

/** What could not be recorded, and why; without an error, somebody else has it locked. */
export interface Unrecorded {
  readonly row: Row;
  readonly error: unknown;
}

interface Recording {
  readonly outcome: Outcome;
  readonly mark: Statement;
  /** Beside the ids. */
  readonly values: readonly unknown[];
  /** Of rows that are in this block already, all is known. */
  readonly knownIn?: string;
  /** Whose account is waited for. */
  readonly payer?: string | null;
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Writes down what blocks prove. Conditional updates: of several instances that see the same block, one is first. No row that
 * somebody else has locked is waited for, or one account would keep the blocks of all others from being seen: it is left over.
 */
@Injectable()
export class TransactionOutcomes {
  private observer: OutcomeListener | null = null;

  constructor(private readonly sql: Sql) {}

  /** The delegation module's; there is one order's life, so there is one observer. */
  observe(observer: OutcomeListener): void {
    this.observer = observer;
  }

  included(rows: readonly Row[], block: Block): Promise<Unrecorded[]> {
    const values = [block.number, block.id, block.timeMs];
    return this.recordAll({ outcome: 'included', mark: MARK_INCLUDED, values, knownIn: block.id }, rows);
  }

  dropped(row: Row): Promise<Unrecorded[]> {
    return this.recordAll({ outcome: 'dropped', mark: MARK_DROPPED, values: [row.block_id] }, [row]);
  }

  /** With `payer`, rows of one account, which is waited for a little. */
  final(rows: readonly Row[], block: Block, payer: string | null = null): Promise<Unrecorded[]> {
    const values = [block.number, block.id, block.timeMs];
    return this.recordAll({ outcome: 'final', mark: MARK_FINAL, values, payer }, rows);
  }

  dead(rows: readonly Row[], payer: string | null = null): Promise<Unrecorded[]> {
    return this.recordAll({ outcome: 'dead', mark: MARK_DEAD, values: [], payer }, rows);
  }

  /** All of them together; one by one when that fails, so that a poisoned row keeps no other from being recorded. */
  private async recordAll(recording: Recording, rows: readonly Row[]): Promise<Unrecorded[]> {
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

  private record({ outcome, mark, values, knownIn, payer }: Recording, rows: readonly Row[]): Promise<Unrecorded[]> {
    const byId = new Map(rows.map((row) => [row.id, row]));
    return this.sql.transaction(async (tx) => {
      const observer = this.observer!;
      tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
      if (payer) await observer.awaitPayer(tx, payer);
      const open = await tx.rows<DecidedRow & { is_locked: boolean }>(LOCK_OPEN, [[...byId.keys()], knownIn ?? '']);
      const ours = open.filter(({ is_locked: isLocked }) => isLocked);
      const ready = new Set((ours.length > 0 ? await observer.lock(tx, outcome, ours) : []).map(({ id }) => id));
      const marked = ready.size > 0 ? await tx.rows<Row>(mark, [[...ready], ...values]) : [];
      if (marked.length > 0) await this.tell(observer, tx, outcome, marked);
      return open.filter(({ id }) => !ready.has(id)).map(({ id }) => ({ row: byId.get(id)!, error: null }));
    });
  }

  private async tell(
    observer: OutcomeListener,
    tx: SqlTransaction,
    outcome: Outcome,
    rows: readonly Row[],
  ): Promise<void> {
    if (outcome === 'included' || outcome === 'final') return observer[outcome](tx, rows);
    for (const row of rows) await observer[outcome](tx, row);
  }
}

function isLockRefused(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}
