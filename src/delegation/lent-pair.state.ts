import { Injectable } from '@nestjs/common';
import { ChainReads } from '../chain/node/chain-reads';
import type { WalletRow } from '../chain/pool/wallet-row';
import { Sql, type Queryable, type SqlTransaction } from '../database/sql';
import type { DelegationRecord } from './delegation-row';
import { LOCK_PAIR, PAIR } from './reclaim.statements';

interface PairState {
  readonly in_flight: bigint;
  readonly lent_by_others_sun: bigint;
  readonly settled_block: bigint;
}

/** How much of an order's stake is there, and what that answer was based on. */
export interface WhatIsThere {
  readonly stakeSun: bigint;
  readonly pair: PairState;
}

/** A shortage, and in how many solid blocks it was read without anything else in between. */
interface Shortage extends WhatIsThere {
  readonly block: number;
  readonly readings: number;
}

/** An order that ends short never looks again: one node that lags must not decide that. */
const READINGS_OF_A_SHORTAGE = 3;
/** Those that another instance has carried on with are forgotten together some day. */
const MOST_SHORTAGES = 1_000;

/** A wallet and a receiver between whom more was taken back than our orders know of. */
@Injectable()
export class LentPairState {
  private readonly shortages = new Map<string, Shortage>();

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
  ) {}

  /**
   * What the solid chain shows of this order's stake once our other orders have theirs. Null while that cannot be told,
   * `again` while a shortage was not read in enough solid blocks.
   */
  async whatIsThere(order: DelegationRecord, wallet: WalletRow): Promise<WhatIsThere | 'again' | null> {
    const pair = await this.read(this.sql, order);
    if (pair.in_flight > 0n) return null;
    const block = await this.solidBlock();
    if (BigInt(block) < pair.settled_block) return null;
    const shown = (await this.reads.delegatedSun(wallet.address, order.receiver)) - pair.lent_by_others_sun;
    // Behind a gateway the reading may come from a node that lags: it counts only between two that do not.
    if ((await this.solidBlock()) < block) return null;
    const stakeSun = shown <= 0n ? 0n : shown < order.stake_sun ? shown : order.stake_sun;
    const there = { stakeSun, pair };
    if (stakeSun < order.stake_sun && !this.isConfirmed(order.id, there, block)) return 'again';
    this.shortages.delete(order.id);
    return there;
  }

  /** Holds the pair to the end of the transaction. False when anything moved since it was looked at. */
  async stillHolds(tx: SqlTransaction, order: DelegationRecord, { pair }: WhatIsThere): Promise<boolean> {
    await tx.execute(LOCK_PAIR, [order.wallet_id, order.receiver]);
    const now = await this.read(tx, order);
    return now.in_flight === 0n && samePair(now, pair);
  }

  private async read(db: Queryable, order: DelegationRecord): Promise<PairState> {
    return (await db.row<PairState & Record<string, unknown>>(PAIR, [order.wallet_id, order.receiver, order.id]))!;
  }

  private async solidBlock(): Promise<number> {
    return (await this.reads.head('walletsolidity')).number;
  }

  /** The same shortage was read in enough solid blocks, one after the other. */
  private isConfirmed(orderId: string, there: WhatIsThere, block: number): boolean {
    const before = this.shortages.get(orderId);
    const same = before && before.stakeSun === there.stakeSun && samePair(before.pair, there.pair);
    if (same && block <= before.block) return false;
    const readings = same ? before.readings + 1 : 1;
    if (this.shortages.size >= MOST_SHORTAGES) this.shortages.clear();
    this.shortages.set(orderId, { ...there, block, readings });
    return readings >= READINGS_OF_A_SHORTAGE;
  }
}

function samePair(one: PairState, other: PairState): boolean {
  return one.lent_by_others_sun === other.lent_by_others_sun && one.settled_block === other.settled_block;
}
