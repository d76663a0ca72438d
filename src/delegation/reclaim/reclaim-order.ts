import { Injectable, Logger } from '@nestjs/common';
import { BlockFollower } from '../../chain/follower/block-follower';
import { refusedForMissingDelegation, type BroadcastOutcome } from '../../chain/node/broadcast-outcome';
import { Outbox } from '../../chain/outbox/outbox';
import { ReferenceBlocks } from '../../chain/reference-blocks';
import type { SignedTransaction } from '../../chain/signing/signed-transaction';
import { Transactions } from '../../chain/signing/transactions';
import { STAKE_MISSING } from '../../chain/wallets/closed-pairs';
import { PoolWallets } from '../../chain/wallets/pool-wallets';
import { WalletRests } from '../../chain/wallets/wallet-rests';
import { keyOwner, type WalletRow } from '../../chain/wallets/wallet-row';
import { formatTrx } from '../../common/money/sun';
import { Sql } from '../../database/sql';
import type { OrderRecord } from '../order-row';
import { TAKEN_BACK } from '../order.statements';
import { statesBefore, type OrderState } from '../order.states';
import { refusalText, WalletRefusals } from '../wallet-refusals';
import { DelegatedStakeVerifier, type VerifiedStake } from './delegated-stake.verifier';
import { BEGIN_RECLAIM, LOOK_AGAIN, MISSING_DELEGATION, RECLAIM_REFUSED } from './reclaim.statements';

/** Takes one order's own stake back, once. The order is claimed, and its delegation is solid. */
@Injectable()
export class ReclaimOrder {
  private readonly logger = new Logger(ReclaimOrder.name);

  constructor(
    private readonly sql: Sql,
    private readonly wallets: PoolWallets,
    private readonly pair: DelegatedStakeVerifier,
    private readonly references: ReferenceBlocks,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly follower: BlockFollower,
    private readonly rests: WalletRests,
    private readonly walletRefusals: WalletRefusals,
  ) {}

  /** `waits` when the order has to, or nothing was left to take; `rests`: so do all others of its wallet. */
  async reclaim(order: OrderRecord): Promise<'sent' | 'waits' | 'rests'> {
    const wallet = await this.wallets.get(order.wallet_id);
    const there = order.last_error?.startsWith(STAKE_MISSING) ? await this.pair.verify(order, wallet) : undefined;
    // Thrown, so that the order backs off and stays visible.
    if (there === null) throw new Error(order.last_error!);
    if (there && 'reading' in there) {
      await this.sql.execute(LOOK_AGAIN, [order.id, order.epoch, there.reading && JSON.stringify(there.reading)]);
      return 'waits';
    }
    if (there?.stakeSun === 0n) {
      await this.nothingLeft(order, there);
      return 'waits';
    }
    const stakeSun = there?.stakeSun ?? order.stake_sun;
    const signed = await this.saveUndelegation(order, wallet, stakeSun, there);
    if (signed === null || signed === 'rests') return signed ?? 'waits';
    this.follower.wake();
    const { outcome } = await this.outbox.send(signed);
    if (outcome.kind === 'refused') await this.refused(order, wallet, signed, stakeSun, outcome);
    return 'sent';
  }

  /** The order says from now on what it was refused for. */
  private async refused(
    order: OrderRecord,
    wallet: WalletRow,
    { txId }: SignedTransaction,
    stakeSun: bigint,
    outcome: Extract<BroadcastOutcome, { kind: 'refused' }>,
  ): Promise<void> {
    const isMissing = refusedForMissingDelegation(outcome);
    const reason = isMissing ? `${STAKE_MISSING} (${refusalText(outcome)})` : refusalText(outcome);
    this.logger.error(
      { delegation: order.id, wallet: wallet.name },
      `A reclaim of ${formatTrx(stakeSun)} TRX from ${order.receiver} was refused: ${reason}`,
    );
    await this.sql.execute(isMissing ? MISSING_DELEGATION : RECLAIM_REFUSED, [order.id, reason]);
    await this.walletRefusals.note(wallet, 'reclaim', txId, outcome);
  }

  /** A new undelegation is saved only while no other of the order could land: a unique index holds that too. */
  private async saveUndelegation(
    order: OrderRecord,
    wallet: WalletRow,
    stakeSun: bigint,
    there: VerifiedStake | undefined,
  ): Promise<SignedTransaction | 'rests' | null> {
    const reference = await this.references.solid();
    return this.sql.transaction(async (tx) => {
      if (!(await this.rests.mayReclaim(tx, wallet, order.id))) return 'rests';
      if (there && !(await this.pair.isUnchanged(tx, order, there))) throw new Error(STAKE_MISSING);
      if ((await tx.execute(BEGIN_RECLAIM, [order.id, order.epoch, order.stake_sun - stakeSun])) === 0) return null;
      const signed = await this.transactions.undelegate(keyOwner(wallet), order.receiver, stakeSun, reference);
      const row = { delegationId: order.id, walletId: wallet.id, receiver: order.receiver, amountSun: stakeSun };
      await this.outbox.save(tx, { purpose: 'reclaim', ...row, resend: true, signed });
      return signed;
    });
  }

  /** All of it is gone: the order ends with its whole stake as a shortage, kept as a finding. */
  private async nothingLeft(order: OrderRecord, there: VerifiedStake): Promise<void> {
    const headTimeMs = await this.references.headTimeMs();
    const state: OrderState = order.state === 'taking_back' ? 'taken_back' : 'reclaimed';
    const detail = JSON.stringify({ reason: STAKE_MISSING });
    await this.sql.transaction(async (tx) => {
      if (!(await this.pair.isUnchanged(tx, order, there))) throw new Error(STAKE_MISSING);
      if ((await tx.execute(BEGIN_RECLAIM, [order.id, order.epoch, order.stake_sun])) === 0) return;
      await tx.execute(TAKEN_BACK, [order.id, statesBefore(state), state, headTimeMs, detail]);
    });
  }
}
