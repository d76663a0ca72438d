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
import { Clock } from '../common/clock';
import { KeyedQueue } from '../common/keyed-queue';
import { ServiceError } from '../common/service.error';
import { currentTrace } from '../common/telemetry';
import { BatchedLookup } from '../database/batched-lookup';
import { Sql, type SqlTransaction } from '../database/sql';
import type { DelegationOrder } from './delegation-order';
import { INSERT_DELEGATION } from './delegation.statements';
import { Leases } from './leases';
import { LIVE_ACTIVATIONS, PROVES_RECEIVER } from './order-transaction.statements';
import type { OrderPlan, WrittenOrder } from './write-order';

type LiveActivation = OutboxRow & { key: string };

/** The signed bytes live for a minute; an order that came to its turn so late would only hold money and stake. */
const MOST_QUEUED_MS = 10_000;

interface Attempt {
  readonly order: DelegationOrder;
  readonly plan: OrderPlan;
  readonly wallet: WalletRow;
}

/**
 * One attempt at an order's rows. Its statements go out together with the commit, each conditional on the one before, so that
 * the locks on the account and on the wallet never last for a round trip between this process and the database; only that of an
 * account that pays for an activation does, while the wallet to pay it is chosen.
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
    private readonly clock: Clock,
  ) {
    this.activations = new BatchedLookup(sql, LIVE_ACTIVATIONS);
  }

  /** @throws ServiceError INSUFFICIENT_BALANCE, ACTIVATION_UNAVAILABLE; StakeTakenError; DatabaseError on a unique index */
  async write(order: DelegationOrder, plan: OrderPlan, wallet: WalletRow): Promise<WrittenOrder> {
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
    return this.transaction(order, async (tx) => {
      tx.defer(this.hold(tx, attempt, false));
      this.insert(tx, attempt, 'pending', false, () => this.saveDelegation(tx, written, order.receiver, delegation));
      return { kind: 'signed', id: plan.id, wallet, delegation };
    });
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
    const row = { delegationId: order.id, walletId: order.wallet.id, receiver, amountSun: order.stakeSun };
    return this.outbox.save(tx, { purpose: 'delegation', ...row, resend: false }, signed);
  }

  private withActivation(attempt: Attempt): Promise<WrittenOrder> {
    const { order, plan, wallet } = attempt;
    return this.transaction(order, async (tx) => {
      await this.hold(tx, attempt, true);
      const payer = await this.chooseWallet.activating(tx);
      const activation = await this.transactions.activate(keyOwner(payer), order.receiver, plan.reference);
      const row = { delegationId: plan.id, walletId: payer.id, receiver: order.receiver, amountSun: ACTIVATION_SUN };
      const save = () => this.outbox.save(tx, { purpose: 'activation', ...row, resend: true }, activation);
      this.insert(tx, attempt, 'activating', true, save);
      const { id, stakeSun } = plan;
      return { kind: 'activating', id, wallet, stakeSun, activationTxId: activation.txId, activation };
    });
  }

  /** Another order pays for the activation; this one waits for it. */
  private behindActivation(attempt: Attempt, activationTxId: string): Promise<WrittenOrder> {
    return this.transaction(attempt.order, async (tx) => {
      tx.defer(this.hold(tx, attempt, false));
      this.insert(tx, attempt, 'activating', false, null);
      const { id, stakeSun } = attempt.plan;
      return { kind: 'activating', id, wallet: attempt.wallet, stakeSun, activationTxId, activation: null };
    });
  }

  private transaction<T>({ userId }: DelegationOrder, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    const cameMs = this.clock.monotonicMs();
    return this.accounts.run(userId, () => {
      const waitedMs = this.clock.monotonicMs() - cameMs;
      if (waitedMs > MOST_QUEUED_MS) throw new ServiceError('INTERNAL', `the account was busy for ${waitedMs} ms`);
      return this.sql.transaction(work);
    });
  }

  /** First: the account before any wallet in every order alike, or two orders could close a circle. */
  private hold(tx: SqlTransaction, { order, plan }: Attempt, activation: boolean): Promise<unknown> {
    const { id, energy, feeSun } = plan;
    return this.billing.hold(tx, { delegationId: id, userId: order.userId, feeSun, energy, activation });
  }

  /** Behind the hold. */
  private insert(
    tx: SqlTransaction,
    { order, plan, wallet }: Attempt,
    state: 'pending' | 'activating',
    activates: boolean,
    saveBytes: (() => Promise<void>) | null,
  ): void {
    const { id, energy, stakeSun } = plan;
    tx.defer(
      tx.execute(INSERT_DELEGATION, [
        id,
        order.userId,
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
    if (saveBytes) tx.defer(saveBytes());
    // Last, so that the row that all orders of a moment want is locked for no longer than the commit takes.
    tx.defer(this.reservations.take(tx, wallet.id, stakeSun));
  }
}
