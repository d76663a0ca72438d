import { Injectable, Logger } from '@nestjs/common';
import { BlockFollower } from '../chain/follower/block-follower';
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
import { LentPairState, type WhatIsThere } from './lent-pair.state';
import { BEGIN_RECLAIM, LOOK_AGAIN, MISSING_DELEGATION } from './reclaim.statements';

/** What a node said when the stake was not there: from then on the pair of wallet and receiver is taken alone. */
const MISSING = 'the delegation is not there in full';

/** Takes one order's own stake back, once. The order is claimed, and its delegation is solid. */
@Injectable()
export class ReclaimDelegation {
  private readonly logger = new Logger(ReclaimDelegation.name);

  constructor(
    private readonly sql: Sql,
    private readonly pool: Pool,
    private readonly pair: LentPairState,
    private readonly references: ReferenceBlocks,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly follower: BlockFollower,
  ) {}

  /** True when an undelegation was sent, false when the order has to wait or nothing was left to take. */
  async reclaim(order: DelegationRecord): Promise<boolean> {
    const wallet = await this.pool.wallet(order.wallet_id);
    const there = order.last_error === MISSING ? await this.pair.whatIsThere(order, wallet) : undefined;
    // Thrown, so that the order backs off and stays visible.
    if (there === null) throw new Error(MISSING);
    if (there && 'reading' in there) {
      await this.sql.execute(LOOK_AGAIN, [order.id, order.epoch, there.reading && JSON.stringify(there.reading)]);
      return false;
    }
    if (there?.stakeSun === 0n) {
      await this.nothingLeft(order, there);
      return false;
    }
    const stakeSun = there?.stakeSun ?? order.stake_sun;
    const signed = await this.saveUndelegation(order, wallet, stakeSun, there);
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
    there: WhatIsThere | undefined,
  ): Promise<SignedTransaction | null> {
    const reference = await this.references.solid();
    return this.sql.transaction(async (tx) => {
      if (there && !(await this.pair.stillHolds(tx, order, there))) throw new Error(MISSING);
      if ((await tx.execute(BEGIN_RECLAIM, [order.id, order.epoch, order.stake_sun - stakeSun])) === 0) return null;
      const signed = await this.transactions.undelegate(keyOwner(wallet), order.receiver, stakeSun, reference);
      const row = { delegationId: order.id, walletId: wallet.id, receiver: order.receiver, amountSun: stakeSun };
      await this.outbox.save(tx, { purpose: 'reclaim', ...row, resend: true, signed });
      return signed;
    });
  }

  /** All of it is gone: the order ends with its whole stake as a shortage, kept as a finding. */
  private async nothingLeft(order: DelegationRecord, there: WhatIsThere): Promise<void> {
    const headTimeMs = await this.references.headTimeMs();
    const state: DelegationState = order.state === 'taking_back' ? 'taken_back' : 'reclaimed';
    const detail = JSON.stringify({ reason: MISSING });
    await this.sql.transaction(async (tx) => {
      if (!(await this.pair.stillHolds(tx, order, there))) throw new Error(MISSING);
      if ((await tx.execute(BEGIN_RECLAIM, [order.id, order.epoch, order.stake_sun])) === 0) return;
      await tx.execute(TAKEN_BACK, [order.id, statesBefore(state), state, headTimeMs, detail]);
    });
  }
}
