import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain.error';
import { Sql, type SqlTransaction } from '../database/sql';
import type { LedgerKind } from './ledger-entry.entity';
import { FIND_REFERENCE, LIST_ENTRIES, LOCK_ACCOUNT, MOVE } from './ledger.statements';

export interface Movement {
  userId: string;
  /** More than 0. */
  amountSun: bigint;
  note: string;
  /** The caller's own name for it: the same one twice moves money once. */
  reference?: string;
}

export interface Moved {
  readonly beforeSun: bigint;
  readonly balanceSun: bigint;
  /** When it was booked. */
  readonly at: string;
  /** Its reference had been used for the same before: this time, nothing moved. */
  readonly repeated: boolean;
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
  async credit(movement: Movement): Promise<bigint> {
    return (await this.move('credit', movement)).balanceSun;
  }

  /** The balance afterwards. Holds are promised: a debit never reaches into them. */
  async debit(movement: Movement): Promise<bigint> {
    return (await this.move('debit', movement)).balanceSun;
  }

  /** In the caller's transaction, or in one of its own. */
  move(kind: 'credit' | 'debit', movement: Movement, tx?: SqlTransaction): Promise<Moved> {
    if (movement.amountSun <= 0n) throw new DomainError('movement.amount-not-positive');
    return this.sql.within(tx, (within) => moveOnce(within, kind, movement));
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
}

const REFUSED = { credit: 'movement.balance-too-large', debit: 'movement.balance-insufficient' } as const;

async function moveOnce(tx: SqlTransaction, kind: 'credit' | 'debit', movement: Movement): Promise<Moved> {
  const { userId, amountSun, note, reference } = movement;
  const signedSun = kind === 'credit' ? amountSun : -amountSun;
  const account = await tx.row<{ balance_sun: bigint }>(LOCK_ACCOUNT, [userId]);
  const beforeSun = account?.balance_sun ?? 0n;
  // A replay may find too little left to move again, so the reference is looked up before anything is refused.
  const earlier = reference === undefined ? null : await findByReference(tx, userId, reference);
  if (earlier?.kind === kind && earlier.amount_sun === signedSun) {
    return { beforeSun, balanceSun: beforeSun, at: earlier.at, repeated: true };
  }
  if (earlier) {
    throw new DomainError('movement.reference-used', {
      reference: reference!,
      kind: earlier.kind,
      amountSun: earlier.amount_sun,
    });
  }
  const moved = await tx.row<{ balance_sun: bigint; at: string }>(MOVE, [
    userId,
    kind,
    signedSun,
    note,
    reference ?? null,
  ]);
  if (!moved) throw new DomainError(REFUSED[kind], { amountSun });
  return { beforeSun, balanceSun: moved.balance_sun, at: moved.at, repeated: false };
}

function findByReference(tx: SqlTransaction, userId: string, reference: string) {
  return tx.row<{ kind: LedgerKind; amount_sun: bigint; at: string }>(FIND_REFERENCE, [userId, reference]);
}
