import { Injectable, Logger } from '@nestjs/common';
import { BlockFollower } from '../../chain/observer/block-follower';
import { missingDelegation, refusedForMissingDelegation, type Refusal } from '../../chain/tron/node/broadcast-outcome';
import { Outbox } from '../../chain/transactions/outbox/outbox';
import type { SignedTransaction } from '../../chain/tron/node/signed-transaction';
import { STAKE_MISSING } from '../../chain/pool/wallets/closed-pairs';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { formatTrx } from '../../common/money/sun';
import { refusalText, WalletRefusals } from '../../findings/wallet-refusals';
import { RECLAIM } from '../transaction-kinds';
import { CloseShort } from './close-short';
import { DelegatedStakeVerifier } from './delegated-stake.verifier';
import { ReclaimRepository, type StakeSeen } from './reclaim.repository';
import type { DueOrder } from './reclaim.statements';
import { SignReclaim } from './sign-reclaim';

/** Takes one order's own stake back, once. The order is claimed, and its delegation is solid. */
@Injectable()
export class ReclaimOrder {
  private readonly logger = new Logger(ReclaimOrder.name);

  constructor(
    private readonly wallets: PoolWallets,
    private readonly verifier: DelegatedStakeVerifier,
    private readonly signReclaim: SignReclaim,
    private readonly closeShort: CloseShort,
    private readonly outbox: Outbox,
    private readonly follower: BlockFollower,
    private readonly reclaims: ReclaimRepository,
    private readonly walletRefusals: WalletRefusals,
  ) {}

  /** `waits` when the order has to, or nothing was left to take; `rests`: so do all others of its wallet. */
  async reclaim(order: DueOrder): Promise<'sent' | 'waits' | 'rests'> {
    const wallet = await this.wallets.get(order.wallet_id);
    const verified = order.stake_missing ? await this.verifier.verify(order, wallet) : undefined;
    // Thrown, so that the order backs off and stays visible.
    if (verified === null) throw new Error(order.last_error!);
    if (verified && 'seen' in verified) return this.lookAgain(order, verified.seen);
    if (verified?.stakeSun === 0n)
      return (await this.closeShort.close(order, verified)) ? 'waits' : this.lookAgain(order);
    const stakeSun = verified?.stakeSun ?? order.stake_sun;
    const signed = await this.signReclaim.sign(order, wallet, stakeSun, verified);
    if (signed === 'moved' || signed === null) return this.lookAgain(order);
    if (signed === 'rests') return signed;
    this.follower.wake();
    const sent = await this.outbox.send(signed, { isDoubted: refusedForMissingDelegation });
    const missing = missingDelegation(sent.deliveries.map(({ outcome }) => outcome));
    const outcome = missing ?? sent.outcome;
    if (outcome.kind === 'refused') {
      await this.refused(order, wallet, signed, stakeSun, outcome, missing !== null);
      await this.walletRefusals.note(wallet, RECLAIM, signed.txId, sent.confirmed);
    }
    return 'sent';
  }

  private async lookAgain(order: DueOrder, seen: StakeSeen | null = null): Promise<'waits'> {
    await this.reclaims.lookAgain(order, seen);
    return 'waits';
  }

  /** From now on the order says what it was refused for. */
  private async refused(
    order: DueOrder,
    wallet: WalletRow,
    { txId }: SignedTransaction,
    stakeSun: bigint,
    outcome: Refusal,
    isMissing: boolean,
  ): Promise<void> {
    const reason = isMissing ? `${STAKE_MISSING} (${refusalText(outcome)})` : refusalText(outcome);
    this.logger.error(
      { delegation: order.id, wallet: wallet.name },
      `A reclaim of ${formatTrx(stakeSun)} TRX from ${order.receiver} was refused: ${reason}`,
    );
    await (isMissing
      ? this.reclaims.stakeMissing(order.id, txId, reason)
      : this.reclaims.refused(order.id, txId, reason));
  }
}
