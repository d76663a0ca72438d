import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain.error';
import { Sql, type SqlTransaction } from '../database/sql';
import {
  type IdRange,
  type LedgerEntryView,
  type LedgerPage,
  LedgerRepository,
  type ReferencedMovement,
  type TimeRange,
} from './ledger.repository';
import { checkReference } from './movement-values';

export type { LedgerEntryView, ReferencedMovement };

export interface Movement {
  readonly userId: string;
  /** More than 0. */
  readonly amountSun: bigint;
  readonly note: string;
  /** The caller's own name for it: the same one twice moves money once. */
  readonly reference?: string;
}

/** As `checkReference` leaves it, for every caller. */
const checked = (reference: string | undefined) => (reference === undefined ? undefined : checkReference(reference));

export interface Moved {
  readonly beforeSun: bigint;
  readonly balanceSun: bigint;
  /** When it was booked. */
  readonly at: string;
  /** Its reference had been used for the same before: this time, nothing moved. */
  readonly repeated: boolean;
}

@Injectable()
export class LedgerService {
  constructor(
    private readonly sql: Sql,
    private readonly ledger: LedgerRepository,
  ) {}

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
    return this.sql.within(tx, (within) => this.moveOnce(within, kind, movement));
  }

  /** Whether a movement has this reference. */
  async isBooked(userId: string, reference: string, tx: SqlTransaction): Promise<boolean> {
    return (await this.ledger.findByReference(tx, userId, checkReference(reference))) !== null;
  }

  /** The address of another user who has this reference; null when there is none. */
  otherWithReference(userId: string, reference: string): Promise<string | null> {
    return this.ledger.findOtherWithReference(userId, checkReference(reference));
  }

  /** Credits and debits with this reference; `userId` null: of everybody. */
  withReference(reference: string, userId: string | null, limit: number): Promise<ReferencedMovement[]> {
    return this.ledger.withReference(reference, userId, limit);
  }

  /** Whether money was ever booked. */
  hasEntries(): Promise<boolean> {
    return this.ledger.hasEntries();
  }

  /** Newest first; the next page begins before the last id of this one. */
  listEntries(userId: string, page: LedgerPage = {}): Promise<LedgerEntryView[]> {
    return this.ledger.list(userId, page);
  }

  /** For many pages of one range. */
  idsBetween(userId: string, range: TimeRange): Promise<IdRange> {
    return this.ledger.idsBetween(userId, range);
  }

  private async moveOnce(tx: SqlTransaction, kind: 'credit' | 'debit', movement: Movement): Promise<Moved> {
    const { userId, note } = movement;
    const reference = checked(movement.reference);
    const amountSun = kind === 'credit' ? movement.amountSun : -movement.amountSun;
    const beforeSun = (await this.ledger.lockAccount(tx, userId)) ?? 0n;
    // A replay may find too little left to move again, so the reference is looked up before anything is refused.
    const earlier = reference === undefined ? null : await this.ledger.findByReference(tx, userId, reference);
    if (earlier?.kind === kind && earlier.amountSun === amountSun) {
      return { beforeSun, balanceSun: beforeSun, at: earlier.at, repeated: true };
    }
    if (earlier) {
      throw new DomainError('movement.reference-used', {
        reference: reference!,
        kind: earlier.kind,
        amountSun: earlier.amountSun,
      });
    }
    const booked = await this.ledger.book(tx, { userId, kind, amountSun, note, reference: reference ?? null });
    if (!booked) throw new DomainError(REFUSED[kind], { amountSun: movement.amountSun });
    return { beforeSun, ...booked, repeated: false };
  }
}

const REFUSED = { credit: 'movement.balance-too-large', debit: 'movement.balance-insufficient' } as const;
