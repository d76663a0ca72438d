import { Injectable } from '@nestjs/common';
import { BillingService } from '../../billing/billing.service';
import { Outbox, type Sent } from '../../chain/outbox/outbox';
import { KeyedQueue } from '../../common/concurrency/keyed-queue';
import type { ErrorCode } from '../../common/errors/error-codes';
import { ServiceError } from '../../common/errors/service.error';
import { GroupCommit } from '../../database/group-commit';
import { SHORT_LOCK_TIMEOUT } from '../../database/short-lock-timeout';
import { Sql } from '../../database/sql';
import { DatabaseRetry } from '../database-retry';
import type { OrderAnswer } from '../order-request';
import type { OrderRecord } from '../order-row';
import { ANSWER_FAILURE, ANSWER_SUCCESSES, FIND } from '../order.statements';
import { statesBefore } from '../order.states';
import { AnswerLostError } from './answer-lost.error';
import { DELEGATION_TXID } from './order-transaction.statements';

/** A claim on an order: who holds an older epoch writes nothing. */
export interface OrderClaim {
  readonly id: string;
  readonly epoch: number;
}

interface Success {
  readonly claim: OrderClaim;
  readonly state: 'included' | 'accepted';
  /** What is noted with it. */
  readonly sent: Sent | undefined;
}

interface Committed {
  id: string;
  epoch: number;
  cost_sun: bigint;
  tx_id: string;
}

/** What blocks have shown of an order meanwhile is newer than that it was sent. */
export const BEFORE_SENT = statesBefore('sent').filter((state) => state === 'pending');

/**
 * The one place where an order gets its answer: committed on the row by a conditional update before the first byte of it leaves.
 * Whoever is second (a late instance, a settlement that came first) is told what the row says.
 */
@Injectable()
export class AnswerOrder {
  private readonly successes = new GroupCommit<Success, Committed | null>({
    together: (successes) => this.tell(successes),
    alone: async (success) => (await this.tell([success]))[0]!,
  });

  /** Each failure gives money back: where an account is locked, one of its orders waits on a connection, and no others. */
  private readonly accounts = new KeyedQueue();

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly outbox: Outbox,
    private readonly databaseRetry: DatabaseRetry,
  ) {}

  /** A success, unless the order died before it could be told, or the success cannot be written. `sent` is noted with it. */
  async success(claim: OrderClaim, state: 'included' | 'accepted', sent?: Sent): Promise<OrderAnswer> {
    try {
      return await this.commitSuccess({ claim, state, sent });
    } catch (error) {
      if (isCommitted(error)) throw error;
      return this.failure(claim, 'OUTCOME_UNKNOWN', error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Commits the failure and gives the money back in one transaction, then throws it, unless the row already says otherwise.
   * `refusal`: what a node refused the order for; it stays on the order.
   * @throws AnswerLostError when not even the failure can be written: none is told that is not committed
   */
  async failure(
    claim: OrderClaim,
    code: ErrorCode,
    reason: string,
    refusal: string | null = null,
  ): Promise<OrderAnswer> {
    try {
      return await this.commitFailure(claim, code, reason, refusal);
    } catch (error) {
      throw isCommitted(error) ? error : new AnswerLostError(error);
    }
  }

  /** The committed answer: returned when it is a success, thrown when it is a failure. */
  async fromRow(id: string): Promise<OrderAnswer> {
    const row = await this.find(id);
    if (row.answer === 'success') {
      const found = await this.databaseRetry.throughOutage(() =>
        this.sql.row<{ tx_id: string }>(DELEGATION_TXID, [id]),
      );
      const state = row.answer_code === 'accepted' ? 'accepted' : 'included';
      return { delegationId: id, txId: found!.tx_id, costSun: row.cost_sun, state };
    }
    // Another instance has taken the order over and is still deciding: this one has nothing to say.
    if (row.answer === 'none') throw new AnswerLostError();
    throw new ServiceError(row.answer_code as ErrorCode, 'the order was answered with a failure', { delegationId: id });
  }

  private async commitSuccess(success: Success): Promise<OrderAnswer> {
    const { claim, state } = success;
    const told = await this.databaseRetry.throughOutage(() => this.successes.run(success));
    if (told) return { delegationId: claim.id, txId: told.tx_id, costSun: told.cost_sun, state };
    const row = await this.find(claim.id);
    if (row.answer === 'none' && row.state === 'failed') return this.failure(claim, 'OUTCOME_UNKNOWN', 'it is dead');
    return this.fromRow(claim.id);
  }

  /** Null for those whose row says otherwise by now. */
  private async tell(successes: readonly Success[]): Promise<(Committed | null)[]> {
    const answers = successes.map(({ claim, state }) => ({ ...claim, code: state }));
    const values = [JSON.stringify(answers), answers.map(({ id }) => id), BEFORE_SENT];
    const told = await this.sql.transaction(async (tx) => {
      const sent = successes.flatMap((success) => success.sent ?? []);
      // Settling locks many orders, and can itself wait: one of them must not keep the others from their answers for long.
      if (successes.length > 1) tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
      if (sent.length > 0) tx.defer(this.outbox.record(tx, sent));
      const rows = tx.rows<Committed & Record<string, unknown>>(ANSWER_SUCCESSES, values);
      tx.defer(rows);
      return { rows };
    });
    // Two claims on one order may be here together, of which one is over.
    const byClaim = new Map((await told.rows).map((row) => [`${row.id} ${row.epoch}`, row]));
    return successes.map(({ claim }) => byClaim.get(`${claim.id} ${claim.epoch}`) ?? null);
  }

  private async commitFailure(
    claim: OrderClaim,
    code: ErrorCode,
    reason: string,
    refusal: string | null,
  ): Promise<OrderAnswer> {
    const { user_id: userId } = await this.find(claim.id);
    const committed = await this.databaseRetry.throughOutage(() =>
      this.accounts.run(userId, () =>
        this.sql.transaction(async (tx) => {
          const answered = await tx.execute(ANSWER_FAILURE, [claim.id, claim.epoch, code, reason, refusal]);
          if (answered === 1) await this.billing.release(tx, claim.id);
          return answered === 1;
        }),
      ),
    );
    if (!committed) {
      const row = await this.find(claim.id);
      // The chain was faster and the money is taken: then only a success can still be told.
      if (row.answer === 'none' && row.epoch === claim.epoch)
        return this.commitSuccess({ claim, state: 'included', sent: undefined });
    }
    return this.fromRow(claim.id);
  }

  private async find(id: string): Promise<OrderRecord> {
    const row = await this.databaseRetry.throughOutage(() => this.sql.row<OrderRecord>(FIND, [id]));
    if (!row) throw new Error(`there is no delegation ${id}`);
    return row;
  }
}

/** A committed failure, or that none could be committed: nothing is left to be tried. */
function isCommitted(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof AnswerLostError;
}
