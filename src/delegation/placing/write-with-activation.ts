import { Injectable } from '@nestjs/common';
import { BillingService } from '../../billing/billing.service';
import { Transactions } from '../../chain/transactions/signing/transactions';
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
    private readonly transactions: Transactions,
    private readonly reservations: Reservations,
    private readonly writer: OrderWriter,
  ) {}

  write(order: PlannedOrder, wallet: WalletRow): Promise<ActivatingOrder> {
    const write = (tx: SqlTransaction) => this.writeIn(tx, order, wallet);
    return this.writer.inTurn(order.request, () => this.lanes.transaction(write, PATIENCE_MS));
  }

  /** The account stays locked while a wallet is chosen to pay for the activation, and that one until the commit. */
  private async writeIn(tx: SqlTransaction, order: PlannedOrder, wallet: WalletRow): Promise<ActivatingOrder> {
    const { id, request, reference, stakeSun } = order;
    const { userId, receiver } = request;
    await this.billing.hold(tx, paymentOf(order, true));
    // The account was free. A wallet is everybody's: for its turn there the order may wait longer than for a locked account.
    tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
    await this.freeActivations.refuseBeyondLimit(tx, userId, reference.headTimeMs);
    const payer = await this.chooseWallet.activating(tx);
    const values = { to_address: receiver };
    const signed = await this.transactions.sign(keyOwner(payer), ACTIVATION, values, reference);
    // Last before the commit: every order of a moment wants this row.
    await this.reservations.take(tx, wallet.id, stakeSun);
    const transaction = { kind: ACTIVATION, subjectId: id, walletId: payer.id, values, signed };
    this.writer.insert(tx, { order, wallet, state: 'activating', activates: true, transaction });
    return { kind: 'activating', order, wallet, activationTxId: signed.txId, activation: { signed, payer } };
  }
}
