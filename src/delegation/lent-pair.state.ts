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

/** A wallet and a receiver between whom more was taken back than our orders know of. */
@Injectable()
export class LentPairState {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
  ) {}

  /** What the solid chain shows of this order's stake once our other orders have theirs; null while that cannot be told. */
  async whatIsThere(order: DelegationRecord, wallet: WalletRow): Promise<WhatIsThere | null> {
    const pair = await this.read(this.sql, order);
    if (pair.in_flight > 0n || !(await this.solidShows(pair))) return null;
    const shown = (await this.reads.delegatedSun(wallet.address, order.receiver)) - pair.lent_by_others_sun;
    // Behind a gateway the reading may come from a node that lags: it counts only between two that do not.
    if (!(await this.solidShows(pair))) return null;
    const stakeSun = shown <= 0n ? 0n : shown < order.stake_sun ? shown : order.stake_sun;
    return { stakeSun, pair };
  }

  /** Holds the pair to the end of the transaction. False when anything moved since it was looked at. */
  async stillHolds(tx: SqlTransaction, order: DelegationRecord, { pair }: WhatIsThere): Promise<boolean> {
    await tx.execute(LOCK_PAIR, [order.wallet_id, order.receiver]);
    const now = await this.read(tx, order);
    return (
      now.in_flight === 0n &&
      now.lent_by_others_sun === pair.lent_by_others_sun &&
      now.settled_block === pair.settled_block
    );
  }

  private async read(db: Queryable, order: DelegationRecord): Promise<PairState> {
    return (await db.row<PairState & Record<string, unknown>>(PAIR, [order.wallet_id, order.receiver, order.id]))!;
  }

  private async solidShows(pair: PairState): Promise<boolean> {
    return BigInt((await this.reads.head('walletsolidity')).number) >= pair.settled_block;
  }
}
