import { Inject, Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BillingService, type OrderToPay } from '../billing/billing.service';
import { energyOf } from '../billing/energy-amount';
import { stakeForEnergyCeil } from '../chain/energy';
import { Outbox } from '../chain/outbox/outbox';
import type { OutboxRow } from '../chain/outbox/outbox-row';
import { Capacity } from '../chain/pool/capacity';
import { ChooseWallet } from '../chain/pool/choose-wallet';
import { keyOwner, type WalletRow } from '../chain/pool/wallet-row';
import { ReferenceBlocks, type ReferenceBlock } from '../chain/reference-blocks';
import type { SignedTransaction } from '../chain/signed-transaction';
import { ACTIVATION_SUN, Transactions } from '../chain/transactions';
import { KeyedQueue } from '../common/keyed-queue';
import { ServiceError } from '../common/service.error';
import { CommitUnknownError } from '../database/commit-unknown.error';
import { currentTrace } from '../common/telemetry';
import { inOrder } from '../database/in-order';
import { Sql, type SqlTransaction } from '../database/sql';
import { LIVE_ACTIVATION } from './order-transaction.statements';
import type { DelegationOrder } from './delegation-order';
import type { DelegationRecord } from './delegation-row';
import { FIND, FIND_BY_KEY, INSERT_DELEGATION, LOCK_KEY } from './delegation.statements';
import { Leases } from './leases';
import { Outages } from './outages';

/** An order whose rows are committed. */
export type WrittenOrder =
  | { readonly kind: 'signed'; readonly id: string; readonly wallet: WalletRow; readonly delegation: SignedTransaction }
  | {
      readonly kind: 'activating';
      readonly id: string;
      readonly wallet: WalletRow;
      readonly stakeSun: bigint;
      /** Sent by this order, or by another order for the same receiver. */
      readonly activationTxId: string;
      readonly activation: SignedTransaction | null;
    }
  | { readonly kind: 'repeated'; readonly row: DelegationRecord };

/** Attempts when two orders meet: on a unique index (one activation per receiver, equal bytes from two instances) or on wallets. */
const ATTEMPTS = 5;
const DEADLOCK = '40P01';
const RETRIED_INDEXES = ['chain_transactions_one_live_activation_per_receiver', 'chain_transactions_tx_id_unique'];
const LARGEST_STAKE_SUN = 2n ** 62n;

/** The order's first transaction: hold, wallet, rows and signed bytes, all or nothing. */
@Injectable()
export class WriteOrder {
  /** Orders of one account wait for each other in any case: here they wait without holding a connection that others need. */
  private readonly accounts = new KeyedQueue();

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly capacity: Capacity,
    private readonly chooseWallet: ChooseWallet,
    private readonly references: ReferenceBlocks,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly leases: Leases,
    private readonly outages: Outages,
  ) {}

  /** @throws ServiceError INSUFFICIENT_BALANCE before INSUFFICIENT_ENERGY, PAUSED, ACTIVATION_UNAVAILABLE; then nothing was written. */
  async write(order: DelegationOrder, receiverIsActive: boolean): Promise<WrittenOrder> {
    const energy = energyOf(order.transactions);
    // Everything that asks a node comes before the transaction.
    const [rate, feeSun] = await Promise.all([
      this.capacity.rateForOrder(),
      this.billing.feeSun(order.userId, order.transactions),
    ]);
    if (!rate) throw await this.withoutWallets({ ...order, energy, feeSun, activation: !receiverIsActive });
    const reference = await this.references.solid();
    const exactStake = stakeForEnergyCeil(energy, rate, this.configuration.delegation.energyMarginPpm);
    const stakeSun = exactStake < LARGEST_STAKE_SUN ? exactStake : LARGEST_STAKE_SUN;
    const plan = { id: uuidv7(), energy, feeSun, stakeSun, receiverIsActive, reference };
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.accounts.run(order.userId, () =>
          this.sql.transaction((tx) => this.writeRows(tx, order, plan)),
        );
      } catch (error) {
        if (isShortOfEnergy(error) && attempt === 1 && (await this.capacity.findMore(stakeSun))) continue;
        if (error instanceof CommitUnknownError && (await this.isWritten(plan.id))) return error.result as WrittenOrder;
        const met =
          error instanceof DatabaseError &&
          (error.code === DEADLOCK || RETRIED_INDEXES.includes(error.constraint ?? ''));
        if (!met || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** After a commit that was not acknowledged. While that cannot be told, nothing of the order is sent, so nothing can land. */
  private async isWritten(id: string): Promise<boolean> {
    return this.outages
      .outlast(() => this.sql.row(FIND, [id]))
      .then(
        (row) => row !== null,
        () => false,
      );
  }

  private async withoutWallets(payment: Omit<OrderToPay, 'delegationId'>): Promise<ServiceError> {
    const payable = await this.billing.canPay(payment);
    return new ServiceError(payable ? 'INSUFFICIENT_ENERGY' : 'INSUFFICIENT_BALANCE', 'there is no pool wallet');
  }

  private async writeRows(tx: SqlTransaction, order: DelegationOrder, plan: Plan): Promise<WrittenOrder> {
    const repeated = await this.findRepeated(tx, order);
    if (repeated) return { kind: 'repeated', row: repeated };

    const { id, stakeSun } = plan;
    const looked = tx.row<OutboxRow & Record<string, unknown>>(LIVE_ACTIVATION, [order.receiver]);
    // What an inactive receiver's order costs hangs on whether its activation is under way; all other orders wait for nothing.
    const activates = !plan.receiverIsActive && !(await looked);
    const { userId } = order;
    // The account before the wallet, in every order alike, or two orders could close a circle.
    const [live, payment, wallet] = await inOrder(
      looked,
      this.billing.hold(tx, {
        delegationId: id,
        userId,
        feeSun: plan.feeSun,
        energy: plan.energy,
        activation: activates,
      }),
      this.chooseWallet.delegating(tx, stakeSun),
    );
    const waits = activates || (live !== null && live.state !== 'included');
    const payer = activates ? await this.chooseWallet.activating(tx) : null;
    const written = { id, wallet, stakeSun };
    const insert = () =>
      tx.send(INSERT_DELEGATION, [
        id,
        userId,
        order.receiver,
        order.transactions.toFixed(),
        plan.energy,
        order.rentalMinutes,
        order.activate,
        order.idempotencyKey,
        waits ? 'activating' : 'pending',
        wallet.id,
        stakeSun,
        payment.costSun,
        payment.paidBy,
        activates,
        this.leases.requestMs(waits),
        JSON.stringify({ wallet: wallet.name, stake_sun: stakeSun.toString(), ...currentTrace() }),
      ]);
    if (waits) {
      insert();
      if (!payer) return { kind: 'activating', ...written, activationTxId: live!.tx_id, activation: null };
      const activation = await this.signActivation(tx, written.id, payer, order.receiver, plan.reference);
      return { kind: 'activating', ...written, activationTxId: activation.txId, activation };
    }
    // An activation that a fork could still take back: the delegation names its block, so it can land only behind it.
    const reference = live
      ? { ...plan.reference, number: Number(live.block_number), id: live.block_id! }
      : plan.reference;
    insert();
    return {
      kind: 'signed',
      id,
      wallet,
      delegation: await this.signDelegation(tx, written, order.receiver, reference),
    };
  }

  /** Signs the order's one delegation and saves it with the transaction; a second one is refused by a unique index. */
  async signDelegation(
    tx: SqlTransaction,
    order: { id: string; wallet: WalletRow; stakeSun: bigint },
    receiver: string,
    reference: ReferenceBlock,
  ): Promise<SignedTransaction> {
    const signed = await this.transactions.delegate(keyOwner(order.wallet), receiver, order.stakeSun, reference);
    const row = { delegationId: order.id, walletId: order.wallet.id, receiver, amountSun: order.stakeSun };
    this.outbox.save(tx, { purpose: 'delegation', ...row, resend: false }, signed);
    return signed;
  }

  private async signActivation(
    tx: SqlTransaction,
    delegationId: string,
    payer: WalletRow,
    receiver: string,
    reference: ReferenceBlock,
  ): Promise<SignedTransaction> {
    const signed = await this.transactions.activate(keyOwner(payer), receiver, reference);
    const row = { delegationId, walletId: payer.id, receiver, amountSun: ACTIVATION_SUN };
    this.outbox.save(tx, { purpose: 'activation', ...row, resend: true }, signed);
    return signed;
  }

  private async findRepeated(tx: SqlTransaction, order: DelegationOrder): Promise<DelegationRecord | null> {
    if (order.idempotencyKey === null) return null;
    await tx.execute(LOCK_KEY, [order.userId, order.idempotencyKey]);
    return tx.row<DelegationRecord>(FIND_BY_KEY, [order.userId, order.idempotencyKey]);
  }
}

function isShortOfEnergy(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'INSUFFICIENT_ENERGY';
}

interface Plan {
  readonly id: string;
  readonly energy: bigint;
  readonly feeSun: bigint | null;
  readonly stakeSun: bigint;
  readonly receiverIsActive: boolean;
  readonly reference: ReferenceBlock;
}
