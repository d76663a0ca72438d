import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { isLockRefused } from '../../../database/short-lock-timeout';
import { Sql, type SqlTransaction } from '../../../database/sql';
import { ReservationRepository, type WalletReading } from './reservation.repository';
import { WalletViewRepository } from './wallet-view.repository';

export type { WalletReading } from './reservation.repository';

/** Other orders took the stake between the choice of the wallet and this order's write: choose again. */
export class StakeTakenError extends Error {}

/** Not the fault of one order: written alone, each would wait for the same lock again. */
export class WalletLockedError extends Error {}

/**
 * The stake promised from each wallet, kept as a sum in its row: each order adds its own, and counting removes the promises that have
 * ended. Between two counts the sum may be too high, never too low.
 */
@Injectable()
export class Reservations {
  constructor(
    private readonly sql: Sql,
    private readonly rows: ReservationRepository,
    private readonly views: WalletViewRepository,
  ) {}

  /** For one order, in the transaction that writes it. @throws StakeTakenError, WalletLockedError */
  async take(tx: SqlTransaction, walletId: string, stakeSun: bigint): Promise<void> {
    const taken = await this.rows.take(tx, walletId, stakeSun).catch((error: unknown) => {
      throw asWalletLocked(error);
    });
    if (!taken) throw new StakeTakenError('the wallet no longer has the stake');
  }

  /** With the wallet locked. @returns how many transactions it has still to pay for */
  count(tx: SqlTransaction, walletId: string): Promise<bigint> {
    return this.rows.count(tx, walletId);
  }

  /**
   * For stake that is unfrozen, in the transaction that plans it, with the wallet locked and counted: orders are promised none of it from then on.
   * @returns null when it is taken; else what is neither lent nor promised
   */
  takeFromOrders(tx: SqlTransaction, walletId: string, stakeSun: bigint): Promise<bigint | null> {
    return this.rows.takeFromOrders(tx, walletId, stakeSun);
  }

  /** Stores a reading. It shows more settled orders than the last one, so the reserved stake is counted with it. */
  async observe(reading: WalletReading): Promise<void> {
    await this.sql.transaction(async (tx) => {
      const { walletId, account, block, until } = reading;
      await this.rows.lock(tx, walletId);
      if (!(await this.rows.observe(tx, reading))) return;
      await this.rows.count(tx, walletId);
      await this.views.store(tx, walletId, account, block, until);
    });
  }

  /** Counts the wallets whose sum is too high, and that have this stake once it is counted. */
  async freeUnpromised(stakeSun: bigint): Promise<void> {
    const wallets = await this.rows.findFittingOnceCounted(stakeSun);
    for (const id of wallets) {
      await this.sql.transaction(async (tx) => {
        await this.rows.lock(tx, id);
        await this.rows.count(tx, id);
      });
    }
  }
}

/** WalletLockedError for a time-out at the wallet's lock; any other error, that of a subscription's lock included, unchanged. */
export function asWalletLocked(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || !isLockRefused(error)) return error;
  if (error.where?.includes('"subscriptions"')) return error;
  return new WalletLockedError('the wallet was locked for too long', { cause: error });
}
