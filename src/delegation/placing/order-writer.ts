import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BillingService, type Holding, type OrderToPay } from '../../billing/billing.service';
import type { HoldStatement } from '../../billing/hold.statements';
import { insufficientBalance } from '../../billing/payment-refusal';
import { Outbox } from '../../chain/transactions/outbox/outbox';
import { asWalletLocked, StakeTakenError } from '../../chain/pool/wallets/reservations';
import { KeyedQueue } from '../../common/concurrency/keyed-queue';
import { LateRequests } from '../../common/http/late-requests';
import { currentRequestId } from '../../common/http/request-context';
import { currentTrace } from '../../common/telemetry-channels';
import { WRITE_ALONE, GroupCommit } from '../../database/group-commit';
import { Sql, type SqlTransaction } from '../../database/sql';
import { Leases } from '../leases';
import type { OrderRequest } from '../order-request';
import { type NewOrderRow, OrderRepository } from '../order.repository';
import { HOLD_AND_TAKE, HOLD_AND_TAKE_SKIPPING_LOCKED } from './hold-and-take.statements';
import { reclaimAfterMs } from '../reclaim-time';
import { activates, type PlannedOrder, transactionOf, type PlacedOrder } from './planned-order';

interface QueuedOrder {
  readonly written: PlacedOrder;
  readonly arrivedMs: number;
  /** Taken where the order comes from: the one transaction writes many orders, each with a request and a trace of its own. */
  readonly detail: Record<string, string | undefined>;
}

/**
 * Commits orders' rows. Those that come at the same moment and that one wallet carries are written together: their statements go
 * out with the commit, each writing those that the one before has written, so that the locks on accounts and on the wallet never
 * last for a round trip between this process and the database. For an order that is not paid, or whose stake is gone, that is nothing.
 */
@Injectable()
export class OrderWriter {
  /** Orders of one account wait for each other in any case: here they wait without holding up those of others. */
  private readonly accounts = new KeyedQueue();
  private readonly writes = new GroupCommit<QueuedOrder, Holding>({
    groupOf: ({ written }) => written.wallet.id,
    together: (orders) => this.writeTogether(orders),
    alone: (order) => this.writeAlone(order),
  });

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly orders: OrderRepository,
    private readonly billing: BillingService,
    private readonly outbox: Outbox,
    private readonly leases: Leases,
    private readonly late: LateRequests,
  ) {}

  /** @throws ServiceError COST_ABOVE_MAX, TOKEN_LIMIT_REACHED, INSUFFICIENT_BALANCE; StakeTakenError; DatabaseError on a unique index; CommitUnknownError */
  async write(toWrite: PlacedOrder): Promise<void> {
    const queued = this.queue(toWrite);
    const outcome = await this.inTurn(toWrite.order.request, () => this.writes.run(queued));
    if (outcome.kind === 'refused') throw outcome.refusal;
    if (outcome.kind === 'unmet') throw new StakeTakenError('the wallet no longer has the stake');
  }

  /** One order of an account after the other. */
  inTurn<T>(request: OrderRequest, work: () => Promise<T>): Promise<T> {
    const arrivedMs = this.late.arrivedMs();
    return this.accounts.run(request.userId, async () => {
      this.late.refuse(arrivedMs);
      await this.refuseUsedKey(request);
      return work();
    });
  }

  /** After its hold and its stake, in the same transaction. */
  insert(tx: SqlTransaction, toWrite: PlacedOrder): void {
    this.late.refuse();
    this.insertAll(tx, [this.queue(toWrite)]);
  }

  /** Since it was looked for, another request may have used the key: the index would refuse all that are written with this one. */
  private async refuseUsedKey({ userId, idempotencyKey: key }: OrderRequest): Promise<void> {
    if (key !== null && (await this.orders.isKeyUsed(userId, key))) throw new Error('the key is used by now');
  }

  /** Orders of different accounts and one wallet. */
  private async writeTogether(queued: readonly QueuedOrder[]): Promise<(Holding | typeof WRITE_ALONE)[]> {
    const { held } = await this.sql.transaction(async (tx) => {
      // Only here it has its connection, which it may have waited for.
      const inTime = queued.filter(({ arrivedMs }) => !this.late.isLate(arrivedMs));
      return this.send(tx, inTime, HOLD_AND_TAKE_SKIPPING_LOCKED);
    });
    const holdings = await held;
    return queued.map(({ written }) => holdings.get(written.order.id) ?? WRITE_ALONE);
  }

  /** Waits for its account; without one nothing can be paid. */
  private async writeAlone(queued: QueuedOrder): Promise<Holding> {
    this.late.refuse(queued.arrivedMs);
    const { held } = await this.sql.transaction(async (tx) => {
      // Once more: it may have waited for its connection.
      this.late.refuse(queued.arrivedMs);
      return this.send(tx, [queued], HOLD_AND_TAKE);
    });
    return (await held).get(queued.written.order.id) ?? { kind: 'refused', refusal: insufficientBalance() };
  }

  /** Gives its promise within an object, or the commit would wait for it. */
  private send(
    tx: SqlTransaction,
    queued: readonly QueuedOrder[],
    statement: HoldStatement,
  ): { readonly held: Promise<ReadonlyMap<string, Holding>> } {
    if (queued.length === 0) return { held: Promise.resolve(new Map()) };
    const held = this.hold(tx, statement, queued);
    tx.defer(held);
    this.insertAll(tx, queued);
    return { held };
  }

  private hold(
    tx: SqlTransaction,
    statement: HoldStatement,
    queued: readonly QueuedOrder[],
  ): Promise<Map<string, Holding>> {
    const toPay = queued.map(({ written }, turn) => ({
      ...paymentOf(written.order, activates(written)),
      also: { stake_sun: written.order.stakeSun.toString(), turn },
    }));
    return this.billing.holdEach(tx, statement, toPay, [queued[0]!.written.wallet.id]).catch((error: unknown) => {
      throw asWalletLocked(error);
    });
  }

  private insertAll(tx: SqlTransaction, queued: readonly QueuedOrder[]): void {
    tx.defer(
      this.orders.insertHeld(
        tx,
        queued.map((one) => this.rowOf(one)),
      ),
    );
    const transactions = queued.flatMap(({ written }) => transactionOf(written) ?? []);
    if (transactions.length > 0) tx.defer(this.outbox.saveWritten(tx, transactions));
  }

  private rowOf({ written, detail }: QueuedOrder): NewOrderRow {
    const { order, wallet, state } = written;
    const { id, request, energy } = order;
    const stakeSun = order.stakeSun.toString();
    return {
      id,
      user_id: request.userId,
      receiver: request.receiver,
      transactions: request.transactions.toFixed(),
      energy: energy.toString(),
      rental_minutes: request.rentalMinutes,
      activate: request.activate,
      idempotency_key: request.idempotencyKey,
      state,
      wallet_id: wallet.id,
      stake_sun: stakeSun,
      activates: activates(written),
      claim_ms: this.leases.requestMs(state === 'activating'),
      reclaim_after_ms: String(reclaimAfterMs(this.configuration.reclaim, request.rentalMinutes)),
      detail,
    };
  }

  private queue(written: PlacedOrder): QueuedOrder {
    const detail = { request_id: currentRequestId(), ...currentTrace() };
    return { written, arrivedMs: this.late.arrivedMs(), detail };
  }
}

/** First in an order's transaction: the account before any wallet in every order alike, or two orders could close a circle. */
export function paymentOf({ id, request, energy, feeSun, reference }: PlannedOrder, activating: boolean): OrderToPay {
  const activation = activating && !request.isFree;
  const { userId, tokenId, maxCostSun } = request;
  return { delegationId: id, userId, tokenId, maxCostSun, feeSun, energy, activation, timeMs: reference.headTimeMs };
}
