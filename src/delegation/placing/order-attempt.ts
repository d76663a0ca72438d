import { Injectable } from '@nestjs/common';
import { BillingService } from '../../billing/billing.service';
import { Outbox, type NewTransaction } from '../../chain/outbox/outbox';
import type { OutboxRow } from '../../chain/outbox/outbox-row';
import type { ReferenceBlock } from '../../chain/reference-blocks';
import type { SignedTransaction } from '../../chain/signing/signed-transaction';
import { ACTIVATION_SUN, Transactions } from '../../chain/signing/transactions';
import { ChooseWallet } from '../../chain/wallets/choose-wallet';
import { Reservations } from '../../chain/wallets/reservations';
import { keyOwner, type WalletRow } from '../../chain/wallets/wallet-row';
import { BatchLoader } from '../../database/batch-loader';
import { CommitUnknownError } from '../../database/commit-unknown.error';
import { Sql, type SqlTransaction } from '../../database/sql';
import type { OrderRequest } from '../order-request';
import type { OrderPlan, WrittenOrder } from './create-order';
import { FreeActivations } from './free-activations';
import { LIVE_ACTIVATIONS, PROVES_RECEIVER } from './order-transaction.statements';
import { OrderWriter, paymentOf, type NewOrder } from './order-writer';

type LiveActivation = OutboxRow & { key: string };

interface Attempt {
  readonly order: OrderRequest;
  readonly plan: OrderPlan;
  readonly wallet: WalletRow;
}

/** One attempt at an order's rows: what is signed, and what is written with it, by what is known of the receiver. */
@Injectable()
export class OrderAttempt {
  private readonly activations: BatchLoader<LiveActivation>;

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly chooseWallet: ChooseWallet,
    private readonly reservations: Reservations,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly writer: OrderWriter,
    private readonly freeActivations: FreeActivations,
  ) {
    this.activations = new BatchLoader(sql, LIVE_ACTIVATIONS);
  }

  /**
   * @throws ServiceError INSUFFICIENT_BALANCE, ACTIVATION_UNAVAILABLE; StakeTakenError; DatabaseError on a unique index;
   * CommitUnknownError with what was to be written
   */
  async write(order: OrderRequest, plan: OrderPlan, wallet: WalletRow): Promise<WrittenOrder> {
    const attempt = { order, plan, wallet };
    const live = await this.findActivation(order.receiver);
    // An activation of ours that has become final since the node was asked is as good as its answer.
    if (!live && !plan.receiverIsActive && !(await this.sql.row(PROVES_RECEIVER, [order.receiver]))) {
      return this.withActivation(attempt);
    }
    if (live && live.state !== 'included') return this.behindActivation(attempt, live.tx_id);
    // An activation that a fork could still take back: the delegation names its block, so it can land only behind it.
    const reference = live
      ? { ...plan.reference, number: Number(live.block_number), id: live.block_id! }
      : plan.reference;
    const written = { id: plan.id, wallet, stakeSun: plan.stakeSun };
    const delegation = await this.signDelegation(written, order.receiver, reference);
    const transaction = delegationRow(written, order.receiver, delegation);
    const newOrder: NewOrder = { ...attempt, state: 'pending', activates: false, transaction };
    return this.place(newOrder, { kind: 'signed', id: plan.id, wallet, delegation });
  }

  /** One that is under way, or in a block that a fork could still take back. */
  findActivation(receiver: string): Promise<OutboxRow | null> {
    return this.activations.find(receiver);
  }

  signDelegation(
    { wallet, stakeSun }: { wallet: WalletRow; stakeSun: bigint },
    receiver: string,
    reference: ReferenceBlock,
  ): Promise<SignedTransaction> {
    return this.transactions.delegate(keyOwner(wallet), receiver, stakeSun, reference);
  }

  /** The order's one delegation; a second one is refused by a unique index. */
  saveDelegation(
    tx: SqlTransaction,
    order: { id: string; wallet: WalletRow; stakeSun: bigint },
    receiver: string,
    signed: SignedTransaction,
  ): Promise<void> {
    return this.outbox.save(tx, delegationRow(order, receiver, signed));
  }

  /** The account stays locked while a wallet is chosen to pay for the activation, and that one until the commit. */
  private withActivation(attempt: Attempt): Promise<WrittenOrder> {
    const { order, plan, wallet } = attempt;
    const activating = { ...attempt, state: 'activating', activates: true } as const;
    return this.writer.inTurn(order, () =>
      this.sql.transaction(async (tx) => {
        await this.billing.hold(tx, paymentOf({ ...activating, transaction: null }));
        await this.freeActivations.refuseBeyondLimit(tx, order.userId, plan.reference.headTimeMs);
        const payer = await this.chooseWallet.activating(tx);
        const signed = await this.transactions.activate(keyOwner(payer), order.receiver, plan.reference);
        const row = { delegationId: plan.id, walletId: payer.id, receiver: order.receiver, amountSun: ACTIVATION_SUN };
        // Last before the commit: every order of a moment wants this row.
        await this.reservations.take(tx, wallet.id, plan.stakeSun);
        this.writer.insert(tx, {
          ...activating,
          transaction: { purpose: 'activation', ...row, resend: true, signed },
        });
        const { id, stakeSun } = plan;
        const activation = { signed, payer };
        return { kind: 'activating', id, wallet, stakeSun, activationTxId: signed.txId, activation };
      }),
    );
  }

  /** Another order pays for the activation; this one waits for it. */
  private behindActivation(attempt: Attempt, activationTxId: string): Promise<WrittenOrder> {
    const { wallet, plan } = attempt;
    const { id, stakeSun } = plan;
    const newOrder: NewOrder = { ...attempt, state: 'activating', activates: false, transaction: null };
    return this.place(newOrder, { kind: 'activating', id, wallet, stakeSun, activationTxId, activation: null });
  }

  private async place(order: NewOrder, written: WrittenOrder): Promise<WrittenOrder> {
    try {
      await this.writer.write(order);
      return written;
    } catch (error) {
      throw error instanceof CommitUnknownError ? new CommitUnknownError(error, written) : error;
    }
  }
}

function delegationRow(
  { id, wallet, stakeSun }: { id: string; wallet: WalletRow; stakeSun: bigint },
  receiver: string,
  signed: SignedTransaction,
): NewTransaction {
  const row = { delegationId: id, walletId: wallet.id, receiver, amountSun: stakeSun };
  return { purpose: 'delegation', ...row, resend: false, signed };
}
