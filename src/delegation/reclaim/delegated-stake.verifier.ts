import { Injectable } from '@nestjs/common';
import { takeableSun } from '../../chain/delegated-stake';
import { ChainReads } from '../../chain/node/chain-reads';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import { Sql, type Queryable, type SqlTransaction } from '../../database/sql';
import type { OrderRecord } from '../order-row';
import { LAST_EVENTS, LOCK_PAIR, PAIR, SHORTAGE_READ } from './reclaim.statements';

interface PairState {
  readonly in_flight: bigint;
  readonly lent_by_others_sun: bigint;
  readonly settled_block: bigint;
}

/** How much of an order's stake is there, and what that answer was based on. */
export interface VerifiedStake {
  readonly stakeSun: bigint;
  readonly pair: PairState;
}

/** A shortage that has to be read in later solid blocks too, before it counts. */
export interface LookAgain {
  /** For the order's history; null when the solid block is still the one read last. */
  readonly reading: Reading | null;
}

interface Reading {
  readonly block: number;
  readonly there_sun: string;
  readonly lent_by_others_sun: string;
  readonly settled_block: string;
}

/** An order that ends short never looks again: one node that lags must not decide that. */
const READINGS_OF_A_SHORTAGE = 3;

/** A wallet and a receiver between whom more was taken back than our orders know of. */
@Injectable()
export class DelegatedStakeVerifier {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
  ) {}

  /**
   * What the solid chain shows of this order's stake once our other orders have theirs. Null while that cannot be told,
   * to look again while a shortage was not read in enough solid blocks.
   */
  async verify(order: OrderRecord, wallet: WalletRow): Promise<VerifiedStake | LookAgain | null> {
    const pair = await this.read(this.sql, order);
    if (pair.in_flight > 0n) return null;
    const { number: block, timeMs } = await this.reads.head('walletsolidity');
    if (BigInt(block) < pair.settled_block) return null;
    const lent = await this.reads.delegatedStake(wallet.address, order.receiver);
    const shown = takeableSun(lent, timeMs) - pair.lent_by_others_sun;
    // Behind a gateway the reading may come from a node that lags: it counts only between two that do not.
    if ((await this.reads.head('walletsolidity')).number < block) return null;
    // A chain that was exchanged behind the node's URL shows nothing lent.
    if (shown < order.stake_sun) await this.reads.verify();
    const stakeSun = shown <= 0n ? 0n : shown < order.stake_sun ? shown : order.stake_sun;
    const short = stakeSun < order.stake_sun && (await this.doubt(order.id, stakeSun, pair, block));
    return short || { stakeSun, pair };
  }

  /** Holds the pair to the end of the transaction. False when anything moved since it was looked at. */
  async isUnchanged(tx: SqlTransaction, order: OrderRecord, { pair }: VerifiedStake): Promise<boolean> {
    await tx.execute(LOCK_PAIR, [order.wallet_id, order.receiver]);
    const now = await this.read(tx, order);
    return now.in_flight === 0n && samePair(now, pair);
  }

  private async read(db: Queryable, order: OrderRecord): Promise<PairState> {
    return (await db.row<PairState & Record<string, unknown>>(PAIR, [order.wallet_id, order.receiver, order.id]))!;
  }

  /** Null once the same was read in enough solid blocks, one after the other, with nothing else of the order in between. */
  private async doubt(orderId: string, stakeSun: bigint, pair: PairState, block: number): Promise<LookAgain | null> {
    const reading = {
      block,
      there_sun: stakeSun.toString(),
      lent_by_others_sun: pair.lent_by_others_sun.toString(),
      settled_block: pair.settled_block.toString(),
    };
    const events = await this.sql.rows<{ kind: string; detail: Reading }>(LAST_EVENTS, [
      orderId,
      READINGS_OF_A_SHORTAGE - 1,
    ]);
    const same = events.map(({ kind, detail }) => kind === SHORTAGE_READ && sameReading(detail, reading));
    if (same[0] && block <= events[0]!.detail.block) return { reading: null };
    const isConfirmed = events.length === READINGS_OF_A_SHORTAGE - 1 && same.every(Boolean);
    return isConfirmed ? null : { reading };
  }
}

function sameReading(one: Reading, other: Reading): boolean {
  return (
    one.there_sun === other.there_sun &&
    one.lent_by_others_sun === other.lent_by_others_sun &&
    one.settled_block === other.settled_block
  );
}

function samePair(one: PairState, other: PairState): boolean {
  return one.lent_by_others_sun === other.lent_by_others_sun && one.settled_block === other.settled_block;
}
