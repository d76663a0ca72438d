import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { DomainError } from '../common/errors/domain.error';
import { Sql, type SqlTransaction } from '../database/sql';
import * as statements from './ledger.statements';
import type {
  IdRange,
  LedgerEntryView,
  LedgerPage,
  Referenced,
  ReferencedMovement,
  TimeRange,
} from './ledger.statements';
import { checkReference, isPayment, referencesOfPayment } from './movement-values';

export type { LedgerEntryView, ReferencedMovement };

const ANY_ID: IdRange = { first: 0n, last: 9_223_372_036_854_775_807n };

/** By an operator; `deposit`: by a final block. */
export type MovementKind = 'credit' | 'debit' | 'deposit' | 'refund';
/** What a customer's payment on the chain becomes. */
const OF_PAYMENT: ReadonlySet<MovementKind> = new Set(['credit', 'deposit']);
const TAKES: ReadonlySet<MovementKind> = new Set(['debit', 'refund']);

export interface Movement {
  readonly userId: string;
  /** More than 0. */
  readonly amountSun: bigint;
  readonly note: string;
  /** The caller's own name for it: the same one twice moves money once. */
  readonly reference?: string;
  /** An operator says so, of a deposit whose txid is the reference of an earlier movement. */
  readonly isAnotherPayment?: boolean;
}

/** A subscription's price, which is booked with the subscription. */
export interface Sale {
  readonly userId: string;
  readonly subscriptionId: string;
  /** More than 0. */
  readonly priceSun: bigint;
  /** `reference`: the customer has paid outside of the balance, by what the reference names. */
  readonly paidBy: 'balance' | 'reference';
  readonly reference: string;
  readonly note: string;
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

/** The append-only table `ledger_entries`, and the balances that are the sums of it. */
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

  /**
   * TRX that an operator has sent back on the chain, by its txid, which the caller has proved: no other account is ever refunded by it.
   * @throws DomainError `refund.txid-used` also when another transaction refunds by it at this moment
   */
  async refund(movement: Movement & { readonly reference: string }, tx: SqlTransaction): Promise<Moved> {
    const { userId, reference } = movement;
    const earlier = await tx.row(statements.FIND_REFUND, [reference]);
    if (earlier && earlier.userId !== userId) throw new DomainError('refund.txid-used', { txid: reference });
    return this.move('refund', movement, tx).catch((error: unknown) => {
      const isUsed = error instanceof DatabaseError && error.constraint === 'ledger_entries_one_refund_per_txid';
      throw isUsed ? new DomainError('refund.txid-used', { txid: reference }) : error;
    });
  }

  /** In the caller's transaction, or in one of its own. */
  move(kind: MovementKind, movement: Movement, tx?: SqlTransaction): Promise<Moved> {
    if (movement.amountSun <= 0n) throw new DomainError('movement.amount-not-positive');
    return this.sql.within(tx, (within) => this.moveOnce(within, kind, movement));
  }

  /** In the transaction that makes the subscription, which keeps a repetition away. @throws DomainError when nothing is sold */
  async sell(sale: Sale, tx: SqlTransaction): Promise<void> {
    const { userId, subscriptionId, priceSun, paidBy, note } = sale;
    if (priceSun <= 0n) throw new DomainError('movement.amount-not-positive');
    const reference = checkReference(sale.reference);
    await this.refuseUsed(userId, reference, tx);
    const values = [userId, subscriptionId, priceSun, note, reference] as const;
    const sell = paidBy === 'balance' ? statements.SELL_FROM_BALANCE : statements.SELL_BY_REFERENCE;
    if (await tx.row(sell, [...values])) return;
    if (paidBy === 'balance') throw new DomainError('subscription.balance-insufficient', { priceSun });
    throw new DomainError('movement.balance-too-large', { amountSun: priceSun });
  }

  /** In the transaction that makes a subscription without a price: its reference may be a payment on the chain. @throws DomainError when that was booked */
  async refusePaid(userId: string, reference: string, tx: SqlTransaction): Promise<void> {
    if (isPayment(reference)) await this.refuseUsed(userId, reference, tx);
  }

  /** Whether a movement has this reference. */
  async isBooked(userId: string, reference: string, tx: SqlTransaction): Promise<boolean> {
    return (await tx.row(statements.FIND_REFERENCE, [userId, [checkReference(reference)]])) !== null;
  }

  /** The address of another user who has this reference; null when there is none. */
  async otherWithReference(userId: string, reference: string): Promise<string | null> {
    const references = referencesOfPayment(checkReference(reference));
    return (await this.sql.row(statements.FIND_OTHER, [userId, references]))?.email ?? null;
  }

  /** Credits and debits with this reference, newest first; `userId` null: of everybody. */
  withReference(reference: string, userId: string | null, limit: number): Promise<ReferencedMovement[]> {
    return this.sql.rows(statements.BY_REFERENCE, [reference, userId, limit]);
  }

  /** Whether money was ever booked. */
  async hasEntries(): Promise<boolean> {
    return (await this.sql.row(statements.NEWEST)) !== null;
  }

  /** Newest first; the next page begins before the last id of this one. */
  async listEntries(
    userId: string,
    { beforeId, limit, ids, kind = null, ...range }: LedgerPage = {},
  ): Promise<LedgerEntryView[]> {
    const { from = null, to = null } = range;
    const { first, last } = ids ?? (await this.idsBetween(userId, range));
    return this.sql.rows(statements.LIST, [userId, beforeId ?? null, limit ?? null, from, to, first, last, kind]);
  }

  /** For many pages of one range. */
  async idsBetween(userId: string, { from = null, to = null }: TimeRange): Promise<IdRange> {
    if (from === null && to === null) return ANY_ID;
    return (await this.sql.row(statements.IDS_BETWEEN, [userId, from, to]))!;
  }

  /** What books it at this moment is waited for, and finds the caller's subscription if it comes later. */
  private async refuseUsed(userId: string, reference: string, tx: SqlTransaction): Promise<void> {
    await tx.row(statements.LOCK_ACCOUNT, [userId]);
    const earlier = await tx.row(statements.FIND_REFERENCE, [userId, referencesOfPayment(reference)]);
    if (earlier) throw usedReference(earlier);
  }

  private async moveOnce(tx: SqlTransaction, kind: MovementKind, movement: Movement): Promise<Moved> {
    const { userId, note, isAnotherPayment = false } = movement;
    const reference = checked(movement.reference);
    const amountSun = TAKES.has(kind) ? -movement.amountSun : movement.amountSun;
    const beforeSun = (await tx.row(statements.LOCK_ACCOUNT, [userId]))?.balance_sun ?? 0n;
    // A replay may find too little left to move again, so the reference is looked up before anything is refused.
    const names = (own: string) => (isAnotherPayment ? [own] : referencesOfPayment(own));
    const earlier =
      reference === undefined ? null : await tx.row(statements.FIND_REFERENCE, [userId, names(reference)]);
    if (earlier?.kind === kind && earlier.amountSun === amountSun) {
      return { beforeSun, balanceSun: beforeSun, at: earlier.at, repeated: true };
    }
    if (earlier) throw usedReference(earlier);
    if (reference !== undefined && OF_PAYMENT.has(kind) && !isAnotherPayment && isPayment(reference)) {
      const quota = await tx.row(statements.FIND_QUOTA, [userId, names(reference)]);
      if (quota) throw new DomainError('movement.quota-given', quota);
    }
    const booked = await tx.row(statements.MOVE, [userId, kind, amountSun, note, reference ?? null]);
    if (!booked) throw new DomainError(REFUSED[kind], { amountSun: movement.amountSun });
    return { beforeSun, ...booked, repeated: false };
  }
}

/** Under the name that the earlier movement has for the payment. */
function usedReference({ reference, kind, amountSun }: Referenced): DomainError {
  return new DomainError('movement.reference-used', { reference, kind, amountSun });
}

const REFUSED = {
  credit: 'movement.balance-too-large',
  deposit: 'movement.balance-too-large',
  debit: 'movement.balance-insufficient',
  refund: 'refund.balance-insufficient',
} as const;
