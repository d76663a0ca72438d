import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/errors/service.error';
import { Sql, type SqlTransaction } from '../../database/sql';
import {
  FREE_ACTIVATIONS,
  FREE_ACTIVATIONS_OF_USER,
  type FreeActivationsOfUser,
  MOST_FREE_ACTIVATIONS,
  withinADay,
} from './free-activations.statements';

/** Activations cost us 2.1 TRX each; whose orders fail behind them, with or without intent, gets a few a day for nothing. */
@Injectable()
export class FreeActivations {
  constructor(private readonly sql: Sql) {}

  /**
   * Behind the hold of an order that is to activate: the account's lock keeps all its orders, of every instance, in a row. Once it has
   * a free one, those under way count too: a burst passes the limit by no more than what was sent before the first one failed.
   * @throws ServiceError ACTIVATION_UNAVAILABLE
   */
  async refuseBeyondLimit(tx: SqlTransaction, userId: string, headTimeMs: number): Promise<void> {
    const found = await tx.row<{ free: bigint; under_way: bigint }>(FREE_ACTIVATIONS_OF_USER, [
      withinADay(headTimeMs),
      userId,
    ]);
    if (!found || found.free === 0n || found.free + found.under_way < MOST_FREE_ACTIVATIONS) return;
    throw new ServiceError('ACTIVATION_UNAVAILABLE', `${found.free} activations of the account were free in 24 hours`);
  }

  /** Accounts that have any, most first. */
  ofAll(headTimeMs: number): Promise<FreeActivationsOfUser[]> {
    return this.sql.rows<FreeActivationsOfUser & Record<string, unknown>>(FREE_ACTIVATIONS, [withinADay(headTimeMs)]);
  }
}
