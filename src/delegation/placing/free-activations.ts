import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/errors/service.error';
import { Sql, type SqlTransaction } from '../../database/sql';
import { FreeActivationRepository, type FreeActivationsOfUser } from './free-activation.repository';

/** The limit of one account in any 24 hours, by block time. */
export const MOST_FREE_ACTIVATIONS = 3n;

/** Activations cost us 2.1 TRX each: an account whose orders fail after them, with or without intent, gets a few a day for nothing. */
@Injectable()
export class FreeActivations {
  constructor(
    private readonly repository: FreeActivationRepository,
    private readonly sql: Sql,
  ) {}

  /**
   * After the hold of an order that is to activate: the account's lock keeps all its orders, of every instance, in a row. Once it has
   * a free one, those under way count too: a burst passes the limit by no more than what was sent before the first one failed.
   * Without a transaction it only keeps a caller far beyond it from using up signatures.
   * @throws ServiceError ACTIVATION_UNAVAILABLE
   */
  async refuseBeyondLimit(userId: string, headTimeMs: number, tx?: SqlTransaction): Promise<void> {
    const db = tx ?? this.sql;
    const found = await this.repository.countOfUser(db, userId, headTimeMs);
    if (!found || found.free === 0n) return;
    const waived = await this.repository.countWaived(db, userId, headTimeMs);
    if (found.free + found.under_way + waived < MOST_FREE_ACTIVATIONS) return;
    throw new ServiceError('ACTIVATION_UNAVAILABLE', `${found.free} activations of the account were free in 24 hours`);
  }

  /** One that was not needed is not charged, unless the account has had as many for nothing. Called with the account locked. */
  async waive(tx: SqlTransaction, orderId: string, userId: string, headTimeMs: number): Promise<boolean> {
    const found = await this.repository.countOfUser(tx, userId, headTimeMs);
    const waived = await this.repository.countWaived(tx, userId, headTimeMs);
    if ((found?.free ?? 0n) + waived >= MOST_FREE_ACTIVATIONS) return false;
    await this.repository.addWaived(tx, orderId, userId, headTimeMs);
    return true;
  }

  /** Accounts that have any, most first; `headTimeMs` is the time of the newest block. */
  ofAll(headTimeMs: number): Promise<FreeActivationsOfUser[]> {
    return this.repository.countOfAll(headTimeMs);
  }
}
