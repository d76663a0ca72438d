import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import type { OrderClaim } from '../order-claim';
import type { OrderRow } from '../order.entity';
import {
  BEGIN_RECLAIM,
  CLAIM_DUE,
  COUNT_DUE,
  GIVE_BACK,
  LOCK_STAKE_BETWEEN,
  LOOK_AGAIN,
  MISSING_DELEGATION,
  NOTE_MISSING_KEY,
  PAIR_COMPARED,
  PAIR_VERIFIED,
  READ_STAKE_BETWEEN,
  RECLAIM_EXPIRED,
  RECLAIM_FAILED,
  RECLAIM_REFUSED,
  SHORTAGE_PROVED,
  SUSPECT_OTHERS,
  type DueOrder,
  type StakeBetween,
} from './reclaim.statements';
import type { Taking } from './shortage-proof';

/** For an order's history. */
export interface StakeSeen {
  readonly kind: string;
  readonly reading: object;
}

export interface BeginReclaim {
  readonly shortageSun: bigint;
  readonly headTimeMs: number;
  /** The height of a final block that this database has had; null: not known, and nothing begins. */
  readonly rememberedNumber: number | null;
  /** The comparison that the order's stake was verified for. */
  readonly comparedBlock: bigint | null;
  /** What took the shortage. */
  readonly takenBy: readonly Taking[];
}

/** What a reclaim changes of its order. */
@Injectable()
export class ReclaimRepository {
  constructor(private readonly sql: Sql) {}

  /** Whose time is up, whether they are claimed or back off or not; `at`: now, by the database's clock. */
  async countDue(headTimeMs: number): Promise<{ due: number; at: string }> {
    const { due, at } = (await this.sql.row(COUNT_DUE, [headTimeMs]))!;
    return { due: Number(due), at };
  }

  /** Each order once in a sweep, which began `at`. `waitingWalletIds`: wallets whose reclaims wait, for this sweep; `keyless`: whose key is not here; `finalMs`: block time of what is final. */
  claimDue(
    headTimeMs: number,
    limit: number,
    leaseMs: number,
    waitingWalletIds: Iterable<string>,
    at: string,
    keyless: Iterable<string>,
    finalMs: number,
  ): Promise<DueOrder[]> {
    return this.sql.rows(CLAIM_DUE, [headTimeMs, limit, leaseMs, [...waitingWalletIds], at, [...keyless], finalMs]);
  }

  /** Nothing of these was begun: another instance need not wait for the lease. */
  async giveBack(claims: readonly OrderClaim[]): Promise<void> {
    await this.sql.execute(GIVE_BACK, [claims.map(({ id }) => id), claims.map(({ epoch }) => epoch)]);
  }

  /** The order waits without a failure. `seen`: for its history. */
  async lookAgain({ id, epoch }: OrderClaim, seen: StakeSeen | null = null): Promise<void> {
    await this.sql.execute(LOOK_AGAIN, [id, epoch, seen?.kind ?? '', seen && JSON.stringify(seen.reading)]);
  }

  /** Backs off. */
  async failed({ id, epoch }: OrderClaim, reason: string): Promise<void> {
    await this.sql.execute(RECLAIM_FAILED, [id, epoch, reason]);
  }

  /** For a wallet's orders that were due by `dueMs`; none backs off. How many it was new for. */
  async noteMissingKey(walletId: string, dueMs: number, reason: string): Promise<number> {
    return this.sql.execute(NOTE_MISSING_KEY, [dueMs, walletId, reason]);
  }

  /** Backs off: its transaction can no longer land. */
  async expired(tx: SqlTransaction, orderId: string): Promise<void> {
    await tx.execute(RECLAIM_EXPIRED, [orderId]);
  }

  /** A node has not found the stake: these bytes are not sent again. */
  async stakeMissing(orderId: string, txId: string, error: string): Promise<void> {
    await this.sql.execute(MISSING_DELEGATION, [orderId, txId, error]);
  }

  async refused(orderId: string, txId: string, error: string): Promise<void> {
    await this.sql.execute(RECLAIM_REFUSED, [orderId, txId, error]);
  }

  /**
   * False when the claim has ended (an instance that was stopped past its lease signs nothing), reclaims are paused, or rows of this
   * database may be missing that the order was not compared without.
   */
  async begin(
    tx: SqlTransaction,
    { id, epoch }: OrderClaim,
    { shortageSun, takenBy, ...of }: BeginReclaim,
  ): Promise<boolean> {
    const { headTimeMs, rememberedNumber, comparedBlock } = of;
    const isBegun = (await tx.execute(BEGIN_RECLAIM, [id, epoch, shortageSun, rememberedNumber, comparedBlock])) === 1;
    if (isBegun && shortageSun > 0n) {
      await tx.execute(SHORTAGE_PROVED, [id, JSON.stringify({ taken_by: takenBy })]);
      await tx.execute(SUSPECT_OTHERS, [headTimeMs, id]);
    }
    return isBegun;
  }

  /** All of the pair's stake was found; counts once this reclaim is final. */
  async noteVerified(
    tx: SqlTransaction,
    { wallet_id: walletId, receiver }: OrderRow,
    comparedBlock: bigint,
    txId: string,
  ): Promise<void> {
    await tx.execute(PAIR_VERIFIED, [walletId, receiver, comparedBlock, txId]);
  }

  /** The reclaim that the pair was verified for is final. */
  async noteCompared(tx: SqlTransaction, walletId: string, receiver: string, txId: string): Promise<void> {
    await tx.execute(PAIR_COMPARED, [walletId, receiver, txId]);
  }

  /** Between the order's wallet and its receiver, besides the order itself. */
  async readStakeBetween(order: OrderRow, db: Queryable = this.sql): Promise<StakeBetween> {
    return (await db.row(READ_STAKE_BETWEEN, [order.wallet_id, order.receiver, order.id]))!;
  }

  /** To the end of the transaction, over all instances. */
  async lockStakeBetween(tx: SqlTransaction, order: OrderRow): Promise<void> {
    await tx.execute(LOCK_STAKE_BETWEEN, [order.wallet_id, order.receiver]);
  }
}
