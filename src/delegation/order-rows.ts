import { Injectable } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import { Outbox } from '../chain/outbox/outbox';
import type { OutboxRow } from '../chain/outbox/outbox-row';
import { ChooseWallet } from '../chain/pool/choose-wallet';
import { Reservations } from '../chain/pool/reservations';
import { keyOwner, type WalletRow } from '../chain/pool/wallet-row';
import type { ReferenceBlock } from '../chain/reference-blocks';
import type { SignedTransaction } from '../chain/signed-transaction';
import { ACTIVATION_SUN, Transactions } from '../chain/transactions';
import { KeyedQueue } from '../common/keyed-queue';
import { currentTrace } from '../common/telemetry';
import { BatchedLookup } from '../database/batched-lookup';
import { Sql, type SqlTransaction } from '../database/sql';
import type { DelegationOrder } from './delegation-order';
import { INSERT_DELEGATION } from './delegation.statements';
import { Leases } from './leases';
import { LIVE_ACTIVATIONS } from './order-transaction.statements';
import type { OrderPlan, WrittenOrder } from './write-order';

type LiveActivation = OutboxRow & { key: string };

/**
 * One attempt at an order's rows. Its statements go out together with the commit, each conditional on the one before, so that
 * the locks on the account and on the wallet never last for a round trip between this process and the database.
 */
@Injectable()
export class OrderRows {
  /** Orders of one account wait for each other in any case: here they wait without holding a connection that others need. */
  private readonly accounts = new KeyedQueue();
  private readonly activations: BatchedLookup<LiveActivation>;

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly chooseWallet: ChooseWallet,
    private readonly reservations: Reservations,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly leases: Leases,
  ) {
    this.activations = new BatchedLookup(sql, LIVE_ACTIVATIONS);
  }

  /** @throws ServiceError INSUFFICIENT_BALANCE, ACTIVATION_UNAVAILABLE; StakeTakenError; DatabaseError on a unique index */
  async write(order: DelegationOrder, plan: OrderPlan, wallet: WalletRow): Promise<WrittenOrder> {
    const live = await this.activations.find(order.receiver);
    if (!live && !plan.receiverIsActive) return this.withActivation(order, plan, wallet);
    if (live && live.state !== 'included') return this.behindActivation(order, plan, wallet, live.tx_id);
    // An activation that a fork could still take back: the delegation names its block, so it can land only behind it.
    const reference = live
      ? { ...plan.reference, number: Number(live.block_number), id: live.block_id! }
      : plan.reference;
    const { id, stakeSun } = plan;
    const delegation = await this.signDelegation({ wallet, stakeSun }, order.receiver, reference);
    return this.transaction(order, async (tx) => {
      this.insert(tx, order, plan, wallet, 'pending');
      tx.defer(this.saveDelegation(tx, { id, wallet, stakeSun }, order.receiver, delegation));
      return { kind: 'signed', id, wallet, delegation };
    });
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
    const row = { delegationId: order.id, walletId: order.wallet.id, receiver, amountSun: order.stakeSun };
    return this.outbox.save(tx, { purpose: 'delegation', ...row, resend: false }, signed);
  }

  private withActivation(order: DelegationOrder, plan: OrderPlan, wallet: WalletRow): Promise<WrittenOrder> {
    return this.transaction(order, async (tx) => {
      const payer = await this.chooseWallet.activating(tx);
      const activation = await this.transactions.activate(keyOwner(payer), order.receiver, plan.reference);
      this.insert(tx, order, plan, wallet, 'activating', true);
      const row = { delegationId: plan.id, walletId: payer.id, receiver: order.receiver, amountSun: ACTIVATION_SUN };
      tx.defer(this.outbox.save(tx, { purpose: 'activation', ...row, resend: true }, activation));
      return {
        kind: 'activating',
        id: plan.id,
        wallet,
        stakeSun: plan.stakeSun,
        activationTxId: activation.txId,
        activation,
      };
    });
  }

  /** Another order pays for the activation; this one waits for it. */
  private behindActivation(
    order: DelegationOrder,
    plan: OrderPlan,
    wallet: WalletRow,
    activationTxId: string,
  ): Promise<WrittenOrder> {
    return this.transaction(order, async (tx) => {
      this.insert(tx, order, plan, wallet, 'activating');
      return { kind: 'activating', id: plan.id, wallet, stakeSun: plan.stakeSun, activationTxId, activation: null };
    });
  }

  private transaction<T>({ userId }: DelegationOrder, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return this.accounts.run(userId, () => this.sql.transaction(work));
  }

  /** The account before the wallet in every order alike, or two orders could close a circle. */
  private insert(
    tx: SqlTransaction,
    order: DelegationOrder,
    plan: OrderPlan,
    wallet: WalletRow,
    state: 'pending' | 'activating',
    activates = false,
  ): void {
    const { id, energy, feeSun, stakeSun } = plan;
    const { userId } = order;
    tx.defer(this.billing.hold(tx, { delegationId: id, userId, feeSun, energy, activation: activates }));
    tx.defer(this.reservations.take(tx, wallet.id, stakeSun));
    tx.defer(
      tx.execute(INSERT_DELEGATION, [
        id,
        userId,
        order.receiver,
        order.transactions.toFixed(),
        energy,
        order.rentalMinutes,
        order.activate,
        order.idempotencyKey,
        state,
        wallet.id,
        stakeSun,
        activates,
        this.leases.requestMs(state === 'activating'),
        JSON.stringify({ wallet: wallet.name, stake_sun: stakeSun.toString(), ...currentTrace() }),
      ]),
    );
  }
}
