import { Injectable } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import type { ErrorCode } from '../common/error-codes';
import { ServiceError } from '../common/service.error';
import { inOrder } from '../database/in-order';
import { Sql, type Queryable, type SqlTransaction } from '../database/sql';
import { DELEGATION_TXID } from './order-transaction.statements';
import { AnswerLostError } from './answer-lost.error';
import type { DelegationAnswer } from './delegation-order';
import type { DelegationRecord } from './delegation-row';
import { Outages } from './outages';
import { statesBefore } from './delegation.states';
import { ANSWER_FAILURE, ANSWER_SUCCESS, FIND } from './delegation.statements';

/** A claim on an order: who holds an older epoch writes nothing. */
export interface OrderClaim {
  readonly id: string;
  readonly epoch: number;
}

/** What blocks have shown of an order meanwhile is newer than that it was sent. */
export const BEFORE_SENT = statesBefore('sent').filter((state) => state === 'pending');

/**
 * The one place where an order gets its answer: committed on the row by a conditional update before the first byte of it leaves.
 * Whoever is second (a late instance, a settlement that came first) is told what the row says.
 */
@Injectable()
export class AnswerDelegation {
  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly outages: Outages,
  ) {}

  /** A success, unless the order died before it could be told, or the success cannot be written. `alongside` is committed with it. */
  async success(
    claim: OrderClaim,
    state: 'included' | 'accepted',
    alongside?: (tx: SqlTransaction) => Promise<void>,
  ): Promise<DelegationAnswer> {
    try {
      return await this.commitSuccess(claim, state, alongside);
    } catch (error) {
      if (isTold(error)) throw error;
      return this.failure(claim, 'OUTCOME_UNKNOWN', error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Commits the failure and gives the money back in one transaction, then throws it, unless the row already says otherwise.
   * @throws AnswerLostError when not even the failure can be written: none is told that is not committed
   */
  async failure(claim: OrderClaim, code: ErrorCode, reason: string): Promise<DelegationAnswer> {
    try {
      return await this.commitFailure(claim, code, reason);
    } catch (error) {
      throw isTold(error) ? error : new AnswerLostError(error);
    }
  }

  /** The committed answer: returned when it is a success, thrown when it is a failure. */
  async fromRow(id: string): Promise<DelegationAnswer> {
    const row = await this.find(id);
    if (row.answer === 'success') {
      const found = await this.outages.outlast(() => this.sql.row<{ tx_id: string }>(DELEGATION_TXID, [id]));
      const state = row.answer_code === 'accepted' ? 'accepted' : 'included';
      return { delegationId: id, txId: found!.tx_id, costSun: row.cost_sun, state };
    }
    // Another instance has taken the order over and is still deciding: this one has nothing to say.
    if (row.answer === 'none') throw new AnswerLostError();
    throw new ServiceError(row.answer_code as ErrorCode, 'the order was answered with a failure', { delegationId: id });
  }

  private async commitSuccess(
    claim: OrderClaim,
    state: 'included' | 'accepted',
    alongside?: (tx: SqlTransaction) => Promise<void>,
  ): Promise<DelegationAnswer> {
    const values = [claim.id, claim.epoch, state, BEFORE_SENT];
    const tell = (db: Queryable) => db.row<{ cost_sun: bigint; tx_id: string }>(ANSWER_SUCCESS, values);
    const told = await this.outages.outlast(() =>
      alongside ? this.sql.transaction(async (tx) => (await inOrder(alongside(tx), tell(tx)))[1]) : tell(this.sql),
    );
    if (told) return { delegationId: claim.id, txId: told.tx_id, costSun: told.cost_sun, state };
    const row = await this.find(claim.id);
    if (row.answer === 'none' && row.state === 'failed') return this.failure(claim, 'OUTCOME_UNKNOWN', 'it is dead');
    return this.fromRow(claim.id);
  }

  private async commitFailure(claim: OrderClaim, code: ErrorCode, reason: string): Promise<DelegationAnswer> {
    const committed = await this.outages.outlast(() =>
      this.sql.transaction(async (tx) => {
        const answered = await tx.execute(ANSWER_FAILURE, [claim.id, claim.epoch, code, reason]);
        if (answered === 1) await this.billing.release(tx, claim.id);
        return answered === 1;
      }),
    );
    if (!committed) {
      const row = await this.find(claim.id);
      // The chain was faster and the money is taken: then only a success can still be told.
      if (row.answer === 'none' && row.epoch === claim.epoch) return this.commitSuccess(claim, 'included');
    }
    return this.fromRow(claim.id);
  }

  private async find(id: string): Promise<DelegationRecord> {
    const row = await this.outages.outlast(() => this.sql.row<DelegationRecord>(FIND, [id]));
    if (!row) throw new Error(`there is no delegation ${id}`);
    return row;
  }
}

/** A committed failure, or that none could be committed: nothing is left to be tried. */
function isTold(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof AnswerLostError;
}
