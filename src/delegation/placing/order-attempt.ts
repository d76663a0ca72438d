import { Injectable } from '@nestjs/common';
import { PaidOrders } from '../../billing/paid-orders';
import { SignerUnavailableError } from '../../chain/transactions/signer-process/signer-unavailable.error';
import { signerKeyId } from '../../chain/transactions/signing/key-source';
import { TransactionBuilder } from '../../chain/transactions/signing/transaction-builder';
import { type ReferenceBlock, ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { Clock } from '../../common/clock';
import { CommitUnknownError } from '../../database/commit-unknown.error';
import { OrderTransactionRepository } from './order-transaction.repository';
import { OrderWriter, paymentOf } from './order-writer';
import type { PlannedOrder, SignedOrder, PlacedOrder } from './planned-order';
import { signDelegation } from './sign-delegation';
import { UnsignedOrderError } from './unsigned-order.error';
import { WriteWithActivation } from './write-with-activation';

/** One attempt at an order's rows: what is signed, and what is written with it, by what is known of the receiver. */
@Injectable()
export class OrderAttempt {
  constructor(
    private readonly transactions: OrderTransactionRepository,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly builder: TransactionBuilder,
    private readonly writeWithActivation: WriteWithActivation,
    private readonly writer: OrderWriter,
    private readonly paidOrders: PaidOrders,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ServiceError COST_ABOVE_MAX, TOKEN_LIMIT_REACHED, INSUFFICIENT_BALANCE, ACTIVATION_UNAVAILABLE; StakeTakenError; DatabaseError on a unique index;
   * UnsignedOrderError; CommitUnknownError with what was to be written
   */
  async write(order: PlannedOrder, wallet: WalletRow): Promise<PlacedOrder> {
    const { receiver } = order.request;
    const [live, refusal] = await Promise.all([
      this.transactions.findLiveActivation(receiver),
      signerKeyId(wallet.key_source) === null ? null : this.paidOrders.findRefusal(paymentOf(order, false)),
    ]);
    // An activation of ours that has become final since the node was asked is as good as its answer.
    if (!live && !order.receiverIsActive && !(await this.transactions.provesReceiver(receiver))) {
      return this.writeWithActivation.write(order, wallet);
    }
    // The signer counts each signature for its limit: callers without money would use it up.
    if (refusal) throw refusal;
    if (!live) return this.signed(order, wallet, order.reference);
    const block = { number: Number(live.block_number), id: live.block_id! };
    if (live.state !== 'included' || this.referenceBlocks.contradicts(block))
      return this.commit({ state: 'activating', order, wallet, activationTxId: live.tx_id, activation: null });
    // An activation that a fork could still take back: the delegation names its block, so it can land only after it.
    return this.signed(order, wallet, { ...order.reference, ...block });
  }

  private async signed(order: PlannedOrder, wallet: WalletRow, reference: ReferenceBlock): Promise<SignedOrder> {
    const delegation = await signDelegation(this.builder, order, wallet, reference).catch((error: unknown) => {
      throw error instanceof SignerUnavailableError ? new UnsignedOrderError(wallet, error) : error;
    });
    // Not earlier: an order's claim does not cover the time before it is written.
    return this.commit({ state: 'pending', order, wallet, delegation, claimedMs: this.clock.monotonicMs() });
  }

  private async commit<Written extends PlacedOrder>(toWrite: Written): Promise<Written> {
    try {
      await this.writer.write(toWrite);
      this.paidOrders.add(toWrite.order.request.userId);
      return toWrite;
    } catch (error) {
      throw error instanceof CommitUnknownError ? new CommitUnknownError(error, toWrite) : error;
    }
  }
}
