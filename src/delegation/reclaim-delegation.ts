import { Injectable, Logger } from '@nestjs/common';
import { BlockFollower } from '../chain/follower/block-follower';
import { ChainReads } from '../chain/node/chain-reads';
import { refusedForMissingDelegation } from '../chain/node/broadcast-outcome';
import { Outbox } from '../chain/outbox/outbox';
import { Pool } from '../chain/pool/pool';
import { keyOwner, type WalletRow } from '../chain/pool/wallet-row';
import { ReferenceBlocks } from '../chain/reference-blocks';
import type { SignedTransaction } from '../chain/signed-transaction';
import { Transactions } from '../chain/transactions';
import { Sql } from '../database/sql';
import type { DelegationRecord } from './delegation-row';
import { TAKEN_BACK } from './delegation.statements';
import { statesBefore, type DelegationState } from './delegation.states';
import { BEGIN_RECLAIM, MISSING_DELEGATION, PAIR } from './reclaim.statements';

/** What a node said when the stake was not there: from then on the pair of wallet and receiver is taken alone. */
const MISSING = 'the delegation is not there in full';

/** Takes one order's own stake back, once. The order is claimed, and its delegation is solid. */
@Injectable()
export class ReclaimDelegation {
  private readonly logger = new Logger(ReclaimDelegation.name);

  constructor(
    private readonly sql: Sql,
    private readonly pool: Pool,
    private readonly reads: ChainReads,
    private readonly references: ReferenceBlocks,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly follower: BlockFollower,
  ) {}

  /** True when an undelegation was sent, false when the order has to wait or nothing was left to take. */
  async reclaim(order: DelegationRecord): Promise<boolean> {
    const wallet = await this.pool.wallet(order.wallet_id);
    const stakeSun = order.last_error === MISSING ? await this.whatIsThere(order, wallet) : order.stake_sun;
    if (stakeSun === null) throw new Error(MISSING);
    if (stakeSun === 0n) {
      await this.nothingLeft(order);
      return false;
    }
    const signed = await this.saveUndelegation(order, wallet, stakeSun);
    if (!signed) return false;
    this.follower.wake();
    const { outcome } = await this.outbox.send(signed);
    if (refusedForMissingDelegation(outcome)) {
      this.logger.error(
        { delegation: order.id },
        `${wallet.name} cannot take back ${stakeSun} sun from ${order.receiver}: ${MISSING}`,
      );
      await this.sql.execute(MISSING_DELEGATION, [order.id, MISSING]);
    }
    return true;
  }

  /** A new undelegation is saved only while no other of the order could land: a unique index holds that too. */
  private async saveUndelegation(
    order: DelegationRecord,
    wallet: WalletRow,
    stakeSun: bigint,
  ): Promise<SignedTransaction | null> {
    const reference = await this.references.solid();
    return this.sql.transaction(async (tx) => {
      if ((await tx.execute(BEGIN_RECLAIM, [order.id, order.epoch, order.stake_sun - stakeSun])) === 0) return null;
      const signed = await this.transactions.undelegate(keyOwner(wallet), order.receiver, stakeSun, reference);
      const row = { delegationId: order.id, walletId: wallet.id, receiver: order.receiver, amountSun: stakeSun };
      await this.outbox.save(tx, { purpose: 'reclaim', ...row, resend: true }, signed);
      return signed;
    });
  }

  /**
   * What the solid chain shows of this order's stake once our other orders have theirs; null while anything of the pair is
   * under way. The rest is a shortage, kept on the order as a finding.
   */
  private async whatIsThere(order: DelegationRecord, wallet: WalletRow): Promise<bigint | null> {
    const pair = await this.sql.row<{ in_flight: bigint; lent_by_others_sun: bigint }>(PAIR, [
      wallet.id,
      order.receiver,
      order.id,
    ]);
    if (pair!.in_flight > 0n) return null;
    const shown = (await this.reads.delegatedSun(wallet.address, order.receiver)) - pair!.lent_by_others_sun;
    if (shown <= 0n) return 0n;
    return shown < order.stake_sun ? shown : order.stake_sun;
  }

  private async nothingLeft(order: DelegationRecord): Promise<void> {
    const headTimeMs = await this.references.headTimeMs();
    const state: DelegationState = order.state === 'taking_back' ? 'taken_back' : 'reclaimed';
    await this.sql.transaction(async (tx) => {
      if ((await tx.execute(BEGIN_RECLAIM, [order.id, order.epoch, order.stake_sun])) === 0) return;
      await tx.execute(TAKEN_BACK, [
        order.id,
        statesBefore(state),
        state,
        headTimeMs,
        JSON.stringify({ reason: MISSING }),
      ]);
    });
  }
}
