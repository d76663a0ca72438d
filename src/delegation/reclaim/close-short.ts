import { Injectable } from '@nestjs/common';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { STAKE_MISSING } from '../../chain/pool/wallets/closed-pairs';
import { Sql } from '../../database/sql';
import { OrderEvents } from '../order-events';
import type { OrderRow } from '../order.entity';
import { OrderRepository } from '../order.repository';
import { stateTakenBack } from '../../common/order.states';
import { DelegatedStakeVerifier, type VerifiedStake } from './delegated-stake.verifier';
import { ReclaimRepository } from './reclaim.repository';

/** For an order of whose stake nothing is left: it ends with all of it as a shortage, kept as a finding. */
@Injectable()
export class CloseShort {
  constructor(
    private readonly sql: Sql,
    private readonly verifier: DelegatedStakeVerifier,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly reclaims: ReclaimRepository,
    private readonly orders: OrderRepository,
    private readonly events: OrderEvents,
  ) {}

  /** False when another order of the pair was faster, or no reclaim may begin now. */
  async close(order: OrderRow, verified: VerifiedStake): Promise<boolean> {
    const blockMs = await this.referenceBlocks.headTimeMs();
    const rememberedNumber = this.referenceBlocks.rememberedNumber();
    const begun = {
      shortageSun: order.stake_sun,
      headTimeMs: blockMs,
      rememberedNumber,
      comparedBlock: verified.comparedBlock,
      takenBy: verified.takenBy,
    };
    const state = stateTakenBack(order.state);
    return this.sql.transaction(async (tx) => {
      if (!(await this.verifier.isUnchanged(tx, order, verified))) return false;
      if (!(await this.reclaims.begin(tx, order, begun))) return false;
      const settlement = { id: order.id, state, blockMs, detail: { reason: STAKE_MISSING } };
      if (await this.orders.settleReclaim(tx, settlement)) await this.events.changed(tx, [settlement]);
      return true;
    });
  }
}
