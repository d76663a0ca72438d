import { Injectable } from '@nestjs/common';
import { BillingService, insufficientBalance, type Holding, type OrderToPay } from '../../billing/billing.service';
import { Outbox, type NewTransaction } from '../../chain/outbox/outbox';
import { asWalletLocked, StakeTakenError } from '../../chain/wallets/reservations';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import { Clock } from '../../common/clock';
import { KeyedQueue } from '../../common/concurrency/keyed-queue';
import { ServiceError } from '../../common/errors/service.error';
import { currentTrace } from '../../common/telemetry-channels';
import { BatchLoader } from '../../database/batch-loader';
import { WRITE_ALONE, GroupCommit } from '../../database/group-commit';
import { Sql, type SqlTransaction, type Statement } from '../../database/sql';
import { Leases } from '../leases';
import type { OrderRequest } from '../order-request';
import { INSERT_DELEGATIONS, USED_KEYS } from '../order.statements';
import type { OrderPlan } from './create-order';
import { HOLD_AND_TAKE, HOLD_AND_TAKE_SKIPPING_LOCKED } from './hold-and-take.statements';

/** The signed bytes live for a minute; an order that came to its turn so late would only hold money and stake. */
const MOST_QUEUED_MS = 10_000;

/** What is written of an order. */
export interface NewOrder {
  readonly order: OrderRequest;
  readonly plan: OrderPlan;
  readonly wallet: WalletRow;
  readonly state: 'pending' | 'activating';
  /** It pays for its receiver's activation. */
  readonly activates: boolean;
  /** What is committed with the order, to be sent behind it. */
  readonly transaction: NewTransaction | null;
}

interface Entry extends NewOrder {
  readonly cameMs: number;
  /** Taken where the order came from: whoever writes it works for many orders, each with a trace of its own. */
  readonly trace: Record<string, string>;
}

type Outcome = 'written' | 'unpayable' | 'taken' | 'late';
const OUTCOMES = { held: 'written', unpayable: 'unpayable', unmet: 'taken' } as const satisfies Record<
  Holding['kind'],
  Outcome
>;

/**
 * Commits orders' rows. Those that come at the same moment and that one wallet carries are written together: their statements go
 * out with the commit, each writing those that the one before has written, so that the locks on accounts and on the wallet never
 * last for a round trip between this process and the database. For an order that is not paid, or whose stake is gone, that is nothing.
 */
@Injectable()
export class OrderWriter {
  /** Orders of one account wait for each other in any case: here they wait without holding up those of others. */
  private readonly accounts = new KeyedQueue();
  private readonly keys: BatchLoader<{ key: string }>;
  private readonly writes = new GroupCommit<Entry, Outcome>({
    groupOf: ({ wallet }) => wallet.id,
    together: (entries) => this.writeTogether(entries),
    alone: (entry) => this.writeAlone(entry),
  });

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly outbox: Outbox,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {
    this.keys = new BatchLoader(sql, USED_KEYS);
  }

  /** @throws ServiceError INSUFFICIENT_BALANCE; StakeTakenError; DatabaseError on a unique index; CommitUnknownError */
  async write(order: NewOrder): Promise<void> {
    const entry = this.entry(order);
    const outcome = await this.inTurn(order.order, () => this.writes.run(entry));
    if (outcome === 'unpayable') throw insufficientBalance();
    if (outcome === 'taken') throw new StakeTakenError('the wallet no longer has the stake');
    if (outcome === 'late') this.refuseLate(entry.cameMs);
  }

  /** One order of an account after the other. */
  inTurn<T>(order: OrderRequest, work: () => Promise<T>): Promise<T> {
    const cameMs = this.clock.monotonicMs();
    return this.accounts.run(order.userId, async () => {
      this.refuseLate(cameMs);
      await this.refuseRepeated(order);
      return work();
    });
  }

  /** Since it was looked for, another request may have used the key: the index would refuse all that are written with this one. */
  private async refuseRepeated({ userId, idempotencyKey: key }: OrderRequest): Promise<void> {
    if (key !== null && (await this.keys.find(`${userId} ${key}`))) throw new Error('the key is used by now');
  }

  /** Orders of different accounts and one wallet. */
  private async writeTogether(entries: readonly Entry[]): Promise<(Outcome | typeof WRITE_ALONE)[]> {
    const inTime = entries.filter((entry) => !this.isLate(entry.cameMs));
    const held = inTime.length === 0 ? new Map<string, Holding>() : await this.writeHeld(inTime, 'skip locked');
    return entries.map((entry) => {
      if (!inTime.includes(entry)) return 'late';
      const holding = held.get(entry.plan.id);
      return holding ? OUTCOMES[holding.kind] : WRITE_ALONE;
    });
  }

  /** Waits for its account; without one nothing can be paid. */
  private async writeAlone(entry: Entry): Promise<Outcome> {
    this.refuseLate(entry.cameMs);
    const held = await this.writeHeld([entry], 'wait');
    return OUTCOMES[held.get(entry.plan.id)?.kind ?? 'unpayable'];
  }

  private async writeHeld(entries: readonly Entry[], locked: 'skip locked' | 'wait'): Promise<Map<string, Holding>> {
    const statement = locked === 'wait' ? HOLD_AND_TAKE : HOLD_AND_TAKE_SKIPPING_LOCKED;
    const sent = await this.sql.transaction(async (tx) => {
      const holds = this.hold(tx, statement, entries);
      tx.defer(holds);
      this.insertAll(tx, entries);
      // Not the promise itself, or the commit would wait for it.
      return { holds };
    });
    return sent.holds;
  }

  private hold(tx: SqlTransaction, statement: Statement, entries: readonly Entry[]): Promise<Map<string, Holding>> {
    const orders = entries.map((entry, turn) => ({
      ...paymentOf(entry),
      also: { stake_sun: entry.plan.stakeSun.toString(), turn },
    }));
    return this.billing.holdEach(tx, statement, orders, [entries[0]!.wallet.id]).catch((error: unknown) => {
      throw asWalletLocked(error);
    });
  }

  /** Behind its hold and its stake, in the same transaction. */
  insert(tx: SqlTransaction, order: NewOrder): void {
    this.insertAll(tx, [this.entry(order)]);
  }

  private insertAll(tx: SqlTransaction, entries: readonly Entry[]): void {
    const ids = entries.map(({ plan }) => plan.id);
    tx.defer(tx.execute(INSERT_DELEGATIONS, [JSON.stringify(entries.map((entry) => this.orderRow(entry))), ids]));
    const transactions = entries.flatMap(({ transaction }) => transaction ?? []);
    if (transactions.length > 0) tx.defer(this.outbox.saveWritten(tx, transactions));
  }

  private orderRow({ order, plan, wallet, state, activates, trace }: Entry) {
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
      detail: { wallet: wallet.name, stake_sun: plan.stakeSun.toString(), ...trace },
    };
  }

  private entry(order: NewOrder): Entry {
    return { ...order, cameMs: this.clock.monotonicMs(), trace: { ...currentTrace() } };
  }

  private refuseLate(cameMs: number): void {
    if (this.isLate(cameMs)) throw new ServiceError('INTERNAL', 'the order waited for too long to be written');
  }

  private isLate(cameMs: number): boolean {
    return this.clock.monotonicMs() - cameMs > MOST_QUEUED_MS;
  }
}

/** First in an order's transaction: the account before any wallet in every order alike, or two orders could close a circle. */
export function paymentOf({ order, plan, activates: activation }: NewOrder): OrderToPay {
  const { id, energy, feeSun } = plan;
  return { delegationId: id, userId: order.userId, feeSun, energy, activation };
}
