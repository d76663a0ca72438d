import { Injectable } from '@nestjs/common';
import { BillingService, insufficientBalance, type HeldPayment, type OrderToPay } from '../billing/billing.service';
import { Outbox, type NewTransaction } from '../chain/outbox/outbox';
import type { OutboxRow } from '../chain/outbox/outbox-row';
import { ChooseWallet } from '../chain/pool/choose-wallet';
import { Reservations, StakeTakenError } from '../chain/pool/reservations';
import { keyOwner, type WalletRow } from '../chain/pool/wallet-row';
import type { ReferenceBlock } from '../chain/reference-blocks';
import type { SignedTransaction } from '../chain/signed-transaction';
import { ACTIVATION_SUN, Transactions } from '../chain/transactions';
import { Clock } from '../common/clock';
import { KeyedQueue } from '../common/keyed-queue';
import { ServiceError } from '../common/service.error';
import { currentTrace } from '../common/telemetry';
import { BatchedLookup } from '../database/batched-lookup';
import { ALONE_PLEASE, BatchedWrite, isRefusal } from '../database/batched-write';
import { CommitUnknownError } from '../database/commit-unknown.error';
import { Sql, type SqlTransaction } from '../database/sql';
import type { DelegationOrder } from './delegation-order';
import { FIND_BY_KEY, INSERT_DELEGATIONS } from './delegation.statements';
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

/** What is written of an order whose payment is all that is still open. */
interface Entry extends Attempt {
  readonly state: 'pending' | 'activating';
  /** It pays for its receiver's activation. */
  readonly activates: boolean;
  /** What is committed with the order, to be sent behind it. */
  readonly transaction: NewTransaction | null;
  /** For the order's history. */
  readonly detail: Record<string, unknown>;
  readonly cameMs: number;
}

type Outcome = 'written' | 'unpayable';

/**
 * One attempt at an order's rows. Orders that come at the same moment and that one wallet carries are written together: their
 * statements go out with the commit, each writing those that the one before has written, so that the locks on accounts and on the
 * wallet never last for a round trip between this process and the database; only those of an order that pays for an activation
 * do, while the wallet to pay it is chosen.
 */
@Injectable()
export class OrderRows {
  /** Orders of one account wait for each other in any case: here they wait without holding up those of others. */
  private readonly accounts = new KeyedQueue();
  private readonly writes = new Map<string, BatchedWrite<Entry, Outcome>>();
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

  /**
   * @throws ServiceError INSUFFICIENT_BALANCE, ACTIVATION_UNAVAILABLE; StakeTakenError; DatabaseError on a unique index;
   * CommitUnknownError with what was to be written
   */
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
    const transaction = delegationRow(written, order.receiver, delegation);
    return this.place(this.entry(attempt, { state: 'pending', activates: false, transaction }), {
      kind: 'signed',
      id: plan.id,
      wallet,
      delegation,
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
    return this.outbox.save(tx, delegationRow(order, receiver, signed));
  }

  private withActivation(attempt: Attempt): Promise<WrittenOrder> {
    const { order, plan, wallet } = attempt;
    return this.inTurn(order, () =>
      this.sql.transaction(async (tx) => {
        await this.billing.hold(tx, paymentOf(attempt, true));
        const payer = await this.chooseWallet.activating(tx);
        const signed = await this.transactions.activate(keyOwner(payer), order.receiver, plan.reference);
        const row = { delegationId: plan.id, walletId: payer.id, receiver: order.receiver, amountSun: ACTIVATION_SUN };
        const transaction: NewTransaction = { purpose: 'activation', ...row, resend: true, signed };
        this.insert(tx, [this.entry(attempt, { state: 'activating', activates: true, transaction })]);
        const { id, stakeSun } = plan;
        return { kind: 'activating', id, wallet, stakeSun, activationTxId: signed.txId, activation: signed };
      }),
    );
  }

  /** Another order pays for the activation; this one waits for it. */
  private behindActivation(attempt: Attempt, activationTxId: string): Promise<WrittenOrder> {
    const { wallet, plan } = attempt;
    const { id, stakeSun } = plan;
    return this.place(this.entry(attempt, { state: 'activating', activates: false, transaction: null }), {
      kind: 'activating',
      id,
      wallet,
      stakeSun,
      activationTxId,
      activation: null,
    });
  }

  private entry(attempt: Attempt, what: Pick<Entry, 'state' | 'activates' | 'transaction'>): Entry {
    const { wallet, plan } = attempt;
    // Here, because whoever writes it works for many orders, each with a trace of its own.
    const detail = { wallet: wallet.name, stake_sun: plan.stakeSun.toString(), ...currentTrace() };
    return { ...attempt, ...what, detail, cameMs: this.clock.monotonicMs() };
  }

  private async place(entry: Entry, written: WrittenOrder): Promise<WrittenOrder> {
    try {
      const outcome = await this.inTurn(entry.order, () => this.writesOf(entry.wallet).run(entry));
      if (outcome === 'written') return written;
    } catch (error) {
      throw error instanceof CommitUnknownError ? new CommitUnknownError(error, written) : error;
    }
    throw insufficientBalance();
  }

  private inTurn<T>(order: DelegationOrder, work: () => Promise<T>): Promise<T> {
    const cameMs = this.clock.monotonicMs();
    const isQueued = this.accounts.isBusy(order.userId);
    return this.accounts.run(order.userId, async () => {
      this.refuseLate(cameMs);
      if (isQueued) await this.refuseRepeated(order);
      return work();
    });
  }

  /** The order in front may have had the same key: the index would refuse this one, and all that are written with it. */
  private async refuseRepeated({ userId, idempotencyKey: key }: DelegationOrder): Promise<void> {
    if (key !== null && (await this.sql.row(FIND_BY_KEY, [userId, key]))) throw new Error('the key is used by now');
  }

  private writesOf({ id }: WalletRow): BatchedWrite<Entry, Outcome> {
    let writes = this.writes.get(id);
    if (!writes) {
      writes = new BatchedWrite({
        together: (entries) => this.writeTogether(entries),
        alone: (entry) => this.writeAlone(entry),
        isOfOne: (error) => isRefusal(error) || error instanceof StakeTakenError,
      });
      this.writes.set(id, writes);
    }
    return writes;
  }

  /** Orders of different accounts and one wallet. */
  private async writeTogether(entries: readonly Entry[]): Promise<(Outcome | typeof ALONE_PLEASE)[]> {
    const inTime = entries.filter(({ cameMs }) => this.waitedMs(cameMs) <= MOST_QUEUED_MS);
    const held = inTime.length === 0 ? new Map<string, null>() : await this.writeHeld(inTime);
    return entries.map(({ plan }) => {
      const payment = held.get(plan.id);
      if (payment === undefined) return ALONE_PLEASE;
      return payment ? 'written' : 'unpayable';
    });
  }

  private async writeHeld(entries: readonly Entry[]): Promise<Map<string, HeldPayment | null>> {
    const sent = await this.sql.transaction(async (tx) => {
      const holds = this.billing.holdAll(
        tx,
        entries.map((entry) => paymentOf(entry, false)),
      );
      tx.defer(holds);
      this.insert(tx, entries);
      // Not the promise itself, or the commit would wait for it.
      return { holds };
    });
    return sent.holds;
  }

  /** Waits for its account. @throws ServiceError INSUFFICIENT_BALANCE */
  private async writeAlone(entry: Entry): Promise<Outcome> {
    this.refuseLate(entry.cameMs);
    await this.sql.transaction(async (tx) => {
      tx.defer(this.billing.hold(tx, paymentOf(entry, false)));
      this.insert(tx, [entry]);
    });
    return 'written';
  }

  /** Behind the holds, in the same transaction. */
  private insert(tx: SqlTransaction, entries: readonly Entry[]): void {
    const ids = entries.map(({ plan }) => plan.id);
    tx.defer(tx.execute(INSERT_DELEGATIONS, [JSON.stringify(entries.map((entry) => this.orderRow(entry))), ids]));
    const transactions = entries.flatMap(({ transaction }) => transaction ?? []);
    if (transactions.length > 0) tx.defer(this.outbox.saveWritten(tx, transactions));
    // Last, so that the row that all orders of a moment want is locked for no longer than the commit takes.
    tx.defer(this.reservations.take(tx, entries[0]!.wallet.id, ids));
  }

  private orderRow({ order, plan, wallet, state, activates, detail }: Entry) {
    return {
      id: plan.id,
      user_id: order.userId,
      receiver: order.receiver,
      transactions: order.transactions.toFixed(),
      energy: plan.energy.toString(),
      rental_minutes: order.rentalMinutes,
      activate: order.activate,
      idempotency_key: order.idempotencyKey,
      state,
      wallet_id: wallet.id,
      stake_sun: plan.stakeSun.toString(),
      activates,
      claim_ms: this.leases.requestMs(state === 'activating'),
      detail,
    };
  }

  private refuseLate(cameMs: number): void {
    const waitedMs = this.waitedMs(cameMs);
    if (waitedMs > MOST_QUEUED_MS)
      throw new ServiceError('INTERNAL', `the order waited for ${waitedMs} ms to be written`);
  }

  private waitedMs(cameMs: number): number {
    return this.clock.monotonicMs() - cameMs;
  }
}

/** First in an order's transaction: the account before any wallet in every order alike, or two orders could close a circle. */
function paymentOf({ order, plan }: Attempt, activation: boolean): OrderToPay {
  const { id, energy, feeSun } = plan;
  return { delegationId: id, userId: order.userId, feeSun, energy, activation };
}

function delegationRow(
  { id, wallet, stakeSun }: { id: string; wallet: WalletRow; stakeSun: bigint },
  receiver: string,
  signed: SignedTransaction,
): NewTransaction {
  const row = { delegationId: id, walletId: wallet.id, receiver, amountSun: stakeSun };
  return { purpose: 'delegation', ...row, resend: false, signed };
}
