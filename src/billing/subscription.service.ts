import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { v7 as newId, validate as isUuid } from 'uuid';
import { MissingError, DomainError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { FIND_QUOTA } from '../balance/ledger.statements';
import { checkReference, referencesOfPayment } from '../balance/movement-values';
import { wholeEnergyOf } from './energy-amount';
import * as statements from './subscription.statements';
import type { LockedSubscription, SubscriptionPayer, SubscriptionView } from './subscription.statements';

export type { LockedSubscription, SubscriptionView };

/** What a subscription was sold for, and from where that came. */
export interface Price {
  readonly priceSun: bigint;
  readonly paidBy: SubscriptionPayer;
}

export interface NewSubscription {
  /** A form's own name for it: the same one twice makes one subscription. */
  readonly id?: string;
  /** The operator's own name for it: likewise. */
  readonly reference?: string;
  readonly userId: string;
  readonly transactions: BigNumber;
  readonly days: number;
  /** The time of the newest final block: it lies behind every instance's head, so that the next order is paid by it. Null: no node shows it. */
  readonly timeMs: number | null;
  /** The caller books it in the same transaction; null: the subscription is given. */
  readonly price?: Price | null;
}

export interface CreatedSubscription extends SubscriptionView {
  /** Its reference had been used for the same before: this time, none was made. */
  readonly repeated: boolean;
}

/** The table `subscriptions`. */
@Injectable()
export class SubscriptionService {
  constructor(private readonly sql: Sql) {}

  /** Valid from `timeMs` on. With a reference the user's row is locked. @throws DomainError also when one was made with this id before. */
  async create(
    { id = newId(), userId, transactions, days, timeMs, price = null, ...named }: NewSubscription,
    db: Queryable = this.sql,
  ): Promise<CreatedSubscription> {
    const quotaEnergy = wholeEnergyOf(transactions);
    if (quotaEnergy === null) throw new DomainError('subscription.quota-invalid');
    const reference = named.reference === undefined ? null : checkReference(named.reference);
    const earlier = reference === null ? null : await db.row(statements.FIND_REFERENCE, [userId, reference]);
    if (earlier) return { ...repetition(earlier, quotaEnergy, days, price, timeMs), repeated: true };
    // A payment on the chain has two names.
    const other = reference === null ? null : await db.row(FIND_QUOTA, [userId, referencesOfPayment(reference)]);
    if (other) throw new DomainError('subscription.reference-used', other);
    if (timeMs === null) throw new DomainError('subscription.time-unknown');
    const paid = [price?.priceSun ?? null, price?.paidBy ?? null] as const;
    const created = await db.row(statements.CREATE, [id, userId, quotaEnergy, days, reference, timeMs, ...paid]);
    if (!created) throw new DomainError('subscription.created-before');
    return { ...created, repeated: false };
  }

  /** Whether one has this reference. */
  async isCreated(userId: string, reference: string, db: Queryable = this.sql): Promise<boolean> {
    return (await db.row(statements.FIND_REFERENCE, [userId, checkReference(reference)])) !== null;
  }

  /** The address of another user who has this reference; null when there is none. */
  async otherWithReference(userId: string, reference: string): Promise<string | null> {
    return (await this.sql.row(statements.FIND_OTHER, [userId, checkReference(reference)]))?.email ?? null;
  }

  /** Reads what stays true of the subscription until the transaction ends. With `ownerId`, another user's reads as not found. */
  async lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedSubscription> {
    const locked = isUuid(id) ? await tx.row(statements.LOCK, [id, ownerId]) : null;
    if (!locked) throw new MissingError('subscription.not-found', { id });
    return locked;
  }

  /**
   * Ends its validity at the time of the newest final block, which lies behind every instance's head: the next order is not paid by it.
   * Orders that it already promised to pay still settle with it.
   */
  async end(id: string, timeMs: number | null, db: Queryable = this.sql): Promise<SubscriptionView> {
    if (timeMs === null) throw new DomainError('subscription.time-unknown');
    const ended = await db.row(statements.END, [id, timeMs]);
    if (!ended) throw new MissingError('subscription.not-found', { id });
    return ended;
  }

  /** Newest first. */
  list(userId: string, limit?: number): Promise<SubscriptionView[]> {
    return this.sql.rows(statements.LIST, [userId, limit ?? null]);
  }
}

/** The days of a subscription that was ended early are not known any more. */
function repetition(
  { days: had, ...earlier }: SubscriptionView & { readonly days: number },
  quotaEnergy: bigint,
  days: number,
  price: Price | null,
  timeMs: number | null,
): SubscriptionView {
  const isSoldAlike = earlier.priceSun === (price?.priceSun ?? null) && earlier.paidBy === (price?.paidBy ?? null);
  const hasEnded = timeMs !== null && Date.parse(earlier.validUntil) <= timeMs;
  if (isSoldAlike && earlier.quotaEnergy === quotaEnergy && (had === days || hasEnded)) return earlier;
  throw new DomainError('subscription.reference-used', { reference: earlier.reference! });
}
