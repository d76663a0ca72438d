import { Injectable } from '@nestjs/common';
import { type ReferenceBlock, ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { Clock } from '../../common/clock';
import { CommitUnknownError } from '../../database/commit-unknown.error';
import { OrderTransactionRepository } from './order-transaction.repository';
import { OrderWriter } from './order-writer';
import type { ActivatingOrder, OrderToWrite, PlannedOrder, SignedOrder } from './planned-order';
import { SignDelegation } from './sign-delegation';
import { WriteWithActivation } from './write-with-activation';

/** One attempt at an order's rows: what is signed, and what is written with it, by what is known of the receiver. */
@Injectable()
export class OrderAttempt {
  constructor(
    private readonly transactions: OrderTransactionRepository,
    private readonly references: ReferenceBlocks,
    private readonly signDelegation: SignDelegation,
    private readonly writeWithActivation: WriteWithActivation,
    private readonly writer: OrderWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ServiceError COST_ABOVE_MAX, TOKEN_LIMIT_REACHED, INSUFFICIENT_BALANCE, ACTIVATION_UNAVAILABLE; StakeTakenError; DatabaseError on a unique index;
   * CommitUnknownError with what was to be written
   */
  async write(order: PlannedOrder, wallet: WalletRow): Promise<SignedOrder | ActivatingOrder> {
    const { receiver } = order.request;
    const live = await this.transactions.findLiveActivation(receiver);
    // An activation of ours that has become final since the node was asked is as good as its answer.
    if (!live && !order.receiverIsActive && !(await this.transactions.provesReceiver(receiver))) {
      return this.writeWithActivation.write(order, wallet);
    }
    if (!live) return this.signed(order, wallet, order.reference);
    const block = { number: Number(live.block_number), id: live.block_id! };
    if (live.state !== 'included' || this.references.contradicts(block))
      return this.behindActivation(order, wallet, live.tx_id);
    // An activation that a fork could still take back: the delegation names its block, so it can land only behind it.
    return this.signed(order, wallet, { ...order.reference, ...block });
  }

  private async signed(order: PlannedOrder, wallet: WalletRow, reference: ReferenceBlock): Promise<SignedOrder> {
    const transaction = await this.signDelegation.sign(order, wallet, reference);
    // Not earlier: an order's claim does not cover the time before it is written.
    const claimedMs = this.clock.monotonicMs();
    return this.commit(
      { order, wallet, state: 'pending', activates: false, transaction },
      { kind: 'signed', order, wallet, delegation: transaction.signed, claimedMs },
    );
  }

  /** Another order pays for the activation; this one waits for it. */
  private behindActivation(order: PlannedOrder, wallet: WalletRow, activationTxId: string): Promise<ActivatingOrder> {
    return this.commit(
      { order, wallet, state: 'activating', activates: false, transaction: null },
      { kind: 'activating', order, wallet, activationTxId, activation: null },
    );
  }

  private async commit<Written>(toWrite: OrderToWrite, written: Written): Promise<Written> {
    try {
      await this.writer.write(toWrite);
      return written;
    } catch (error) {
      throw error instanceof CommitUnknownError ? new CommitUnknownError(error, written) : error;
    }
  }
}
