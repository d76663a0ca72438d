import { Injectable } from '@nestjs/common';
import { RefusalError } from '../common/refusal.error';
import { formatTrx } from '../common/sun';
import { Sql } from '../database/sql';
import type { LedgerKind } from './ledger-entry.entity';
import { FIND_REFERENCE, LIST_ENTRIES, MOVE } from './ledger.statements';

export interface Movement {
  userId: string;
  /** More than 0. */
  amountSun: bigint;
  note: string;
  /** The caller's own name for it: the same one twice moves money once. */
  reference?: string;
}

export interface LedgerEntryView {
  id: bigint;
  at: string;
  kind: LedgerKind;
  amountSun: bigint;
  balanceSun: bigint;
  delegationId: string | null;
  reference: string | null;
  note: string | null;
}

interface EntryRow {
  id: bigint;
  at: string;
  kind: LedgerKind;
  amount_sun: bigint;
  balance_sun: bigint;
  delegation_id: string | null;
  reference: string | null;
  note: string | null;
}

@Injectable()
export class LedgerService {
  constructor(private readonly sql: Sql) {}

  /** The balance afterwards. */
  credit(movement: Movement): Promise<bigint> {
    return this.move('credit', movement, movement.amountSun);
  }

  /** The balance afterwards. Holds are promised: a debit never reaches into them. */
  debit(movement: Movement): Promise<bigint> {
    return this.move('debit', movement, -movement.amountSun);
  }

  /** Newest first; the next page begins before the last id of this one. */
  async listEntries(userId: string, page: { limit?: number; beforeId?: bigint } = {}): Promise<LedgerEntryView[]> {
    const rows = await this.sql.rows<EntryRow>(LIST_ENTRIES, [userId, page.beforeId ?? null, page.limit ?? null]);
    return rows.map((row) => ({
      id: row.id,
      at: row.at,
      kind: row.kind,
      amountSun: row.amount_sun,
      balanceSun: row.balance_sun,
      delegationId: row.delegation_id,
      reference: row.reference,
      note: row.note,
    }));
  }

  private async move(kind: 'credit' | 'debit', movement: Movement, signedSun: bigint): Promise<bigint> {
    if (movement.amountSun <= 0n) throw new RefusalError('the amount must be more than 0');
    const { userId, note, reference } = movement;
    const values = [userId, kind, signedSun, note, reference ?? null];
    const moved = await this.sql.row<{ balance_sun: bigint }>(MOVE, values).catch(nullIfReferenceUsed);
    if (moved) return moved.balance_sun;

    // A replay may find too little left to move again, so the reference is looked up before anything is refused.
    const earlier = reference === undefined ? null : await this.findByReference(userId, reference);
    if (!earlier) throw new RefusalError(`${kind} of ${formatTrx(movement.amountSun)} refused: ${REASON[kind]}`);
    if (earlier.kind === kind && earlier.amount_sun === signedSun) return earlier.current_balance_sun;
    throw new RefusalError(
      `reference ${JSON.stringify(reference)} was used for a ${earlier.kind} of ${formatTrx(earlier.amount_sun)}`,
    );
  }

  private findByReference(userId: string, reference: string) {
    return this.sql.row<{ kind: LedgerKind; amount_sun: bigint; current_balance_sun: bigint }>(FIND_REFERENCE, [
      userId,
      reference,
    ]);
  }
}

const REASON = { credit: 'the balance would be too large', debit: 'insufficient balance' };

/** The unique index decides between two callers with one reference; the loser's whole statement is undone. */
function nullIfReferenceUsed(error: unknown): null {
  if ((error as { constraint?: string }).constraint === 'ledger_entries_reference_once') return null;
  throw error;
}
