import { Injectable } from '@nestjs/common';
import { BillingService } from '../../billing/billing.service';
import { Outbox, type Sent } from '../../chain/transactions/outbox/outbox';
import { awaitAll } from '../../common/concurrency/await-all';
import { KeyedQueue } from '../../common/concurrency/keyed-queue';
import type { ErrorCode } from '../../common/errors/error-codes';
import { ServiceError } from '../../common/errors/service.error';
import { GroupCommit } from '../../database/group-commit';
import { SHORT_LOCK_TIMEOUT } from '../../database/short-lock-timeout';
import { Sql } from '../../database/sql';
import { AccountLanes } from '../../balance/account-lanes';
import { DatabaseRetry } from '../database-retry';
import type { OrderClaim } from '../order-claim';
import { OrderEvents } from '../order-events';
import type { OrderAnswer } from '../order-request';
import type { OrderRow } from '../order.entity';
import { OrderRepository } from '../order.repository';
import type { AnsweredRow } from '../order.statements';
import { AnswerLostError } from './answer-lost.error';
import { failed, type OrderFailure, type OrderOutcome } from './order-outcome';
import { OrderTransactionRepository } from './order-transaction.repository';

interface Success {
  readonly claim: OrderClaim;
  readonly code: 'included' | 'accepted';
  readonly sent: Sent | undefined;
}

/**
 * The one place where an order gets its answer: committed on the row by a conditional update before the first byte of it leaves.
 * The second to come (a late instance, or a settlement was faster) answers what the row says.
 */
@Injectable()
export class AnswerOrder {
  private readonly successes = new GroupCommit<Success, AnsweredRow | null>({
    together: (successes) => this.commit(successes),
    alone: async (success) => (await this.commit([success]))[0]!,
  });

  /** Each failure gives money back: where an account is locked, one of its orders waits on a connection, and no others. */
  private readonly accounts = new KeyedQueue();

  constructor(
    private readonly sql: Sql,
    private readonly lanes: AccountLanes,
    private readonly orders: OrderRepository,
    private readonly transactions: OrderTransactionRepository,
    private readonly billing: BillingService,
    private readonly outbox: Outbox,
    private readonly events: OrderEvents,
    private readonly databaseRetry: DatabaseRetry,
  ) {}

  /** The answer, committed: returned when it is a success, thrown when it is a failure. */
  answer(claim: OrderClaim, outcome: OrderOutcome): Promise<OrderAnswer> {
    return outcome.kind === 'failed' ? this.failure(claim, outcome) : this.success(claim, outcome.kind, outcome.sent);
  }

  /** A success, unless the order died before it could be answered, or the success cannot be written. `sent` is noted with it. */
  async success(claim: OrderClaim, code: 'included' | 'accepted', sent?: Sent): Promise<OrderAnswer> {
    try {
      return await this.commitSuccess({ claim, code, sent });
    } catch (error) {
      if (isDecided(error)) throw error;
      return this.failure(claim, failed('OUTCOME_UNKNOWN', error instanceof Error ? error.message : String(error)));
    }
  }

  /**
   * Commits the failure and gives the money back in one transaction, then throws it, unless the row already says otherwise.
   * @throws AnswerLostError when not even the failure can be written: none is given that is not committed
   */
  async failure(claim: OrderClaim, failure: OrderFailure): Promise<OrderAnswer> {
    try {
      return await this.commitFailure(claim, failure);
    } catch (error) {
      throw isDecided(error) ? error : new AnswerLostError(error);
    }
  }

  /** Notes what the nodes said, and that the order was sent, before an answer that waits for a block. */
  recordSent(orderId: string, sent: Sent): Promise<unknown> {
    return this.databaseRetry.throughOutage(() =>
      this.sql.transaction((tx) => awaitAll(this.outbox.record(tx, [sent]), this.orders.markSent(tx, orderId))),
    );
  }

  /** The committed answer: returned when it is a success, thrown when it is a failure. */
  async fromRow(id: string): Promise<OrderAnswer> {
    const row = await this.find(id);
    if (row.answer === 'success') {
      const found = await this.databaseRetry.throughOutage(() => this.transactions.findDelegation(id));
      const state = row.answer_code === 'accepted' ? 'accepted' : 'included';
      return { delegationId: id, txId: found!.tx_id, costSun: row.cost_sun, state };
    }
    // Another instance has taken the order over and is still deciding: this one has nothing to say.
    if (row.answer === 'none') throw new AnswerLostError();
    throw new ServiceError(row.answer_code as ErrorCode, 'the order was answered with a failure', { delegationId: id });
  }

  private async commitSuccess(success: Success): Promise<OrderAnswer> {
    const { claim, code } = success;
    const committed = await this.databaseRetry.throughOutage(() => this.successes.run(success));
    if (committed) {
      return { delegationId: claim.id, txId: committed.tx_id, costSun: committed.cost_sun, state: code };
    }
    const row = await this.find(claim.id);
    if (row.answer === 'none' && row.state === 'failed') {
      return this.failure(claim, failed('OUTCOME_UNKNOWN', 'it is dead'));
    }
    return this.fromRow(claim.id);
  }

  /** Null for those whose row says otherwise by now. */
  private async commit(successes: readonly Success[]): Promise<(AnsweredRow | null)[]> {
    const committed = await this.sql.transaction(async (tx) => {
      const sent = successes.flatMap((success) => success.sent ?? []);
      // Settling locks many orders, and can itself wait: one of them must not keep the others from their answers for long.
      if (successes.length > 1) tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
      if (sent.length > 0) tx.defer(this.outbox.record(tx, sent));
      const rows = this.orders.answerSuccesses(tx, successes);
      tx.defer(rows);
      // Not the promise itself, or the commit would wait for it.
      return { rows };
    });
    // Two claims on one order may be here together, of which one has ended.
    const byClaim = new Map((await committed.rows).map((row) => [`${row.id} ${row.epoch}`, row]));
    return successes.map(({ claim }) => byClaim.get(`${claim.id} ${claim.epoch}`) ?? null);
  }

  private async commitFailure(claim: OrderClaim, { code, reason, refusal }: OrderFailure): Promise<OrderAnswer> {
    const { user_id: userId } = await this.find(claim.id);
    const isAnswered = await this.databaseRetry.throughOutage(() =>
      this.accounts.run(userId, () =>
        this.lanes.transaction(async (tx) => {
          const before = await this.orders.answerFailure(tx, claim, code, reason, refusal);
          if (before === null) return false;
          if (before === 'activating') await this.events.changed(tx, [{ id: claim.id, state: 'failed', before }]);
          await this.billing.release(tx, claim.id);
          return true;
        }),
      ),
    );
    if (!isAnswered) {
      const row = await this.find(claim.id);
      // The chain was faster and the money is taken: then only a success can still be the answer.
      if (row.answer === 'none' && row.epoch === claim.epoch)
        return this.commitSuccess({ claim, code: 'included', sent: undefined });
    }
    return this.fromRow(claim.id);
  }

  private async find(id: string): Promise<OrderRow> {
    const row = await this.databaseRetry.throughOutage(() => this.orders.find(id));
    if (!row) throw new Error(`no order has the id ${id}`);
    return row;
  }
}

/** A committed failure, or that none could be committed: nothing is left to be tried. */
function isDecided(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof AnswerLostError;
}
