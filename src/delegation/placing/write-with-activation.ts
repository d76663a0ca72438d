import { Injectable } from '@nestjs/common';
import { BillingService } from '../../billing/billing.service';
import { TransactionBuilder } from '../../chain/transactions/signing/transaction-builder';
import { ChooseWallet } from '../../chain/pool/wallets/choose-wallet';
import { Reservations } from '../../chain/pool/wallets/reservations';
import { keyOwner, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { SHORT_LOCK_TIMEOUT } from '../../database/short-lock-timeout';
import type { SqlTransaction } from '../../database/sql';
import { AccountLanes } from '../../balance/account-lanes';
import { ACTIVATION } from '../transaction-kinds';
import { FreeActivations } from './free-activations';
import { OrderWriter, paymentOf } from './order-writer';
import type { ActivatingOrder, PlannedOrder } from './planned-order';

/** As long as any other statement waits for a lock. */
const PATIENCE_MS = 5_000;

/** The rows of an order that pays for its receiver's activation. */
@Injectable()
export class WriteWithActivation {
  constructor(
    private readonly lanes: AccountLanes,
    private readonly billing: BillingService,
    private readonly freeActivations: FreeActivations,
    private readonly chooseWallet: ChooseWallet,
    private readonly builder: TransactionBuilder,
    private readonly reservations: Reservations,
    private readonly writer: OrderWriter,
  ) {}

  /** @throws PayerTakenError when another order has taken what the payer had left */
  async write(order: PlannedOrder, wallet: WalletRow): Promise<ActivatingOrder> {
    // Nothing is signed for a caller who cannot pay, or has had enough for nothing.
    const refusal = await this.billing.findRefusal(paymentOf(order, true));
    if (refusal) throw refusal;
    await this.freeActivations.refuseBeyondLimit(order.request.userId, order.reference.headTimeMs);
    const payer = await this.chooseWallet.activating();
    const values = { to_address: order.request.receiver };
    const signed = await this.builder.sign(keyOwner(payer), ACTIVATION, values, order.reference);
    const transaction = { kind: ACTIVATION, subjectId: order.id, walletId: payer.id, values, signed };
    const activation = { transaction, payer };
    const toWrite = { state: 'activating', order, wallet, activationTxId: signed.txId, activation } as const;
    const write = async (tx: SqlTransaction): Promise<ActivatingOrder> => {
      await this.writeIn(tx, toWrite, payer);
      return toWrite;
    };
    return this.writer.inTurn(order.request, () => this.lanes.transaction(write, PATIENCE_MS));
  }

  /** The account stays locked to the end, and the payer of the activation. */
  private async writeIn(tx: SqlTransaction, toWrite: ActivatingOrder, payer: WalletRow): Promise<void> {
    const { order, wallet } = toWrite;
    await this.billing.hold(tx, paymentOf(order, true));
    // The account was free. A wallet is everybody's: for its turn there the order may wait longer than for a locked account.
    tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
    await this.freeActivations.refuseBeyondLimit(order.request.userId, order.reference.headTimeMs, tx);
    await this.chooseWallet.pay(tx, payer);
    // Last before the commit: every order of a moment wants this row.
    await this.reservations.take(tx, wallet.id, order.stakeSun);
    this.writer.insert(tx, toWrite);
  }
}
