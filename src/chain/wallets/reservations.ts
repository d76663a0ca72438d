import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Sql, type SqlTransaction } from '../../database/sql';
import { COUNT_RESERVED, FITS_WHEN_COUNTED, LOCK_TO_COUNT, OBSERVED, TAKE_STAKE } from './reservation.statements';

/** What the chain said of a wallet at one solid block. */
export interface WalletReading {
  readonly walletId: string;
  readonly delegableSun: bigint;
  readonly stakeSun: bigint;
  readonly balanceSun: bigint;
  readonly bandwidth: bigint;
  readonly freeBandwidth: bigint;
  readonly block: number;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Between choosing the wallet and writing the order, others took what it had left: choose again. */
export class StakeTakenError extends Error {}

/** No order's own fault: each of them alone would wait for the same lock once more. */
export class WalletLockedError extends Error {}

/**
 * The stake promised from each wallet, kept on its row: every order adds its own, and counting takes away what is no longer
 * promised. Between two counts the sum can be too high, never too low.
 */
@Injectable()
export class Reservations {
  constructor(private readonly sql: Sql) {}

  /** For one order, in the transaction that writes it. @throws StakeTakenError, WalletLockedError */
  async take(tx: SqlTransaction, walletId: string, stakeSun: bigint): Promise<void> {
    const taken = await tx.execute(TAKE_STAKE, [walletId, stakeSun]).catch((error: unknown) => {
      throw asWalletLocked(error);
    });
    if (taken === 0) throw new StakeTakenError('the wallet no longer has the stake');
  }

  /** A reading knows of more settled orders than the last, so what is reserved beside it is counted with it. */
  async observe(reading: WalletReading): Promise<void> {
    const { walletId, delegableSun, stakeSun, balanceSun, bandwidth, freeBandwidth, block } = reading;
    await this.sql.transaction(async (tx) => {
      await tx.row(LOCK_TO_COUNT, [walletId]);
      const values = [walletId, delegableSun, stakeSun, balanceSun, bandwidth, freeBandwidth, block];
      if ((await tx.execute(OBSERVED, values)) === 1) await tx.execute(COUNT_RESERVED, [walletId]);
    });
  }

  /** Before an order is refused for want of energy: true when a wallet had reserved more than is promised, and the stake may fit now. */
  async freeUnpromised(stakeSun: bigint): Promise<boolean> {
    const wallets = await this.sql.rows<{ id: string }>(FITS_WHEN_COUNTED, [stakeSun]);
    for (const { id } of wallets) {
      await this.sql.transaction(async (tx) => {
        await tx.row(LOCK_TO_COUNT, [id]);
        await tx.execute(COUNT_RESERVED, [id]);
      });
    }
    return wallets.length > 0;
  }
}

/** The same error, unless it is that of a statement that waited for the wallet, and for nothing that one order alone wants. */
export function asWalletLocked(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) return error;
  if (error.where?.includes('"subscriptions"')) return error;
  return new WalletLockedError('the wallet was locked for too long', { cause: error });
}
