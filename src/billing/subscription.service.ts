import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { v7 as newId, validate as isUuid } from 'uuid';
import { MissingError, DomainError } from '../common/errors/domain.error';
import type { Queryable, SqlTransaction } from '../database/sql';
import { wholeEnergyOf } from './energy-amount';
import { type LockedSubscription, SubscriptionRepository, type SubscriptionView } from './subscription.repository';

export type { LockedSubscription, SubscriptionView };

export interface NewSubscription {
  /** The caller's own name for it: the same one twice makes one subscription. */
  readonly id?: string;
  readonly userId: string;
  readonly transactions: BigNumber;
  readonly days: number;
}

@Injectable()
export class SubscriptionService {
  constructor(private readonly repository: SubscriptionRepository) {}

  /** Valid from now on. @throws DomainError also when one was made with this id before. */
  async create(
    { id = newId(), userId, transactions, days }: NewSubscription,
    session?: Queryable,
  ): Promise<SubscriptionView> {
    const quotaEnergy = wholeEnergyOf(transactions);
    if (quotaEnergy === null) throw new DomainError('subscription.quota-invalid');
    const created = await this.repository.create(id, userId, quotaEnergy, days, session);
    if (!created) throw new DomainError('subscription.created-before');
    return created;
  }

  /** What is true of the subscription until the transaction ends. With `ownerId`, another user's reads as not found. */
  async lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedSubscription> {
    const locked = isUuid(id) ? await this.repository.lock(tx, id, ownerId) : null;
    if (!locked) throw new MissingError('subscription.not-found', { id });
    return locked;
  }

  /** Ends its validity now; orders that it already promised to pay still settle with it. */
  async end(id: string, session?: Queryable): Promise<SubscriptionView> {
    const ended = await this.repository.end(id, session);
    if (!ended) throw new MissingError('subscription.not-found', { id });
    return ended;
  }

  /** Newest first. */
  list(userId: string, limit?: number): Promise<SubscriptionView[]> {
    return this.repository.list(userId, limit ?? null);
  }
}
