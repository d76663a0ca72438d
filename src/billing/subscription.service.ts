import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { v7 as newId, validate as isUuid } from 'uuid';
import { MissingError, DomainError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { wholeEnergyOf } from './energy-amount';
import {
  CREATE_SUBSCRIPTION,
  END_SUBSCRIPTION,
  LIST_SUBSCRIPTIONS,
  LOCK_SUBSCRIPTION,
} from './subscription.statements';

export interface SubscriptionView {
  id: string;
  quotaEnergy: bigint;
  usedEnergy: bigint;
  heldEnergy: bigint;
  validFrom: string;
  validUntil: string;
}

export interface NewSubscription {
  /** The caller's own name for it: the same one twice makes one subscription. */
  readonly id?: string;
  readonly userId: string;
  readonly transactions: BigNumber;
  readonly days: number;
}

export interface LockedSubscription {
  readonly validUntil: string;
  /** The e-mail address of its user. */
  readonly owner: string;
}

interface SubscriptionRow {
  id: string;
  quota_energy: bigint;
  used_energy: bigint;
  held_energy: bigint;
  valid_from: string;
  valid_until: string;
}

@Injectable()
export class SubscriptionService {
  constructor(private readonly sql: Sql) {}

  /** Valid from now on. @throws DomainError also when one was made with this id before. */
  async create(
    { id = newId(), userId, transactions, days }: NewSubscription,
    session: Queryable = this.sql,
  ): Promise<SubscriptionView> {
    const quotaEnergy = wholeEnergyOf(transactions);
    if (quotaEnergy === null) throw new DomainError('subscription.quota-invalid');
    const row = await session.row<SubscriptionRow>(CREATE_SUBSCRIPTION, [id, userId, quotaEnergy, days]);
    if (!row) throw new DomainError('subscription.created-before');
    return view(row);
  }

  /** What is true of the subscription until the transaction ends. With `ownerId`, another user's reads as not found. */
  async lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedSubscription> {
    const values = [id, ownerId];
    const row = isUuid(id)
      ? await tx.row<LockedSubscription & Record<string, unknown>>(LOCK_SUBSCRIPTION, values)
      : null;
    if (!row) throw new MissingError('subscription.not-found', { id });
    return row;
  }

  /** Ends its validity now; orders that it already promised to pay still settle with it. */
  async end(id: string, session: Queryable = this.sql): Promise<SubscriptionView> {
    const row = await session.row<SubscriptionRow>(END_SUBSCRIPTION, [id]);
    if (!row) throw new MissingError('subscription.not-found', { id });
    return view(row);
  }

  /** Newest first. */
  async list(userId: string, limit?: number): Promise<SubscriptionView[]> {
    return (await this.sql.rows<SubscriptionRow>(LIST_SUBSCRIPTIONS, [userId, limit ?? null])).map(view);
  }
}

function view(row: SubscriptionRow): SubscriptionView {
  return {
    id: row.id,
    quotaEnergy: row.quota_energy,
    usedEnergy: row.used_energy,
    heldEnergy: row.held_energy,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
  };
}
