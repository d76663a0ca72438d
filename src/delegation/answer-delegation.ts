import { Injectable, Logger } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import { Clock } from '../common/clock';
import type { ErrorCode } from '../common/error-codes';
import { ServiceError } from '../common/service.error';
import { Sql } from '../database/sql';
import { DELEGATION_TXID } from './order-transaction.statements';
import { AnswerLostError } from './answer-lost.error';
import type { DelegationAnswer } from './delegation-order';
import type { DelegationRecord } from './delegation-row';
import { ANSWER_FAILURE, ANSWER_SUCCESS, FIND } from './delegation.statements';

/** A claim on an order: who holds an older epoch writes nothing. */
export interface OrderClaim {
  readonly id: string;
  readonly epoch: number;
}

const RETRY_MS = 500;
/** The database may be away for a moment; an answer that cannot be committed is not given. */
const PATIENCE_MS = 30_000;

/**
 * The one place where an order gets its answer: committed on the row by a conditional update before the first byte of it leaves.
 * Whoever is second (a late instance, a settlement that came first) is told what the row says.
 */
@Injectable()
export class AnswerDelegation {
  private readonly logger = new Logger(AnswerDelegation.name);

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly clock: Clock,
  ) {}

  async success(claim: OrderClaim, state: 'included' | 'accepted'): Promise<DelegationAnswer> {
    await this.insist(() => this.sql.execute(ANSWER_SUCCESS, [claim.id, claim.epoch, state]));
    return this.fromRow(claim.id);
  }

  /** Commits the failure and gives the money back in one transaction, then throws it, unless the row already says otherwise. */
  async failure(claim: OrderClaim, code: ErrorCode, reason: string): Promise<DelegationAnswer> {
    const committed = await this.insist(() =>
      this.sql.transaction(async (tx) => {
        const answered = await tx.execute(ANSWER_FAILURE, [claim.id, claim.epoch, code, reason]);
        if (answered === 1) await this.billing.release(tx, claim.id);
        return answered === 1;
      }),
    );
    if (!committed && (await this.find(claim.id)).answer === 'none') return this.success(claim, 'included');
    return this.fromRow(claim.id);
  }

  /** The committed answer: returned when it is a success, thrown when it is a failure. */
  async fromRow(id: string): Promise<DelegationAnswer> {
    const row = await this.find(id);
    if (row.answer === 'success') {
      const found = await this.insist(() => this.sql.row<{ tx_id: string }>(DELEGATION_TXID, [id]));
      const state = row.answer_code === 'accepted' ? 'accepted' : 'included';
      return { delegationId: id, txId: found!.tx_id, costSun: row.cost_sun, state };
    }
    // Another instance has taken the order over and is still deciding: this one has nothing to say.
    if (row.answer === 'none') throw new AnswerLostError(id);
    throw new ServiceError(row.answer_code as ErrorCode, 'the order was answered with a failure', { delegationId: id });
  }

  private async find(id: string): Promise<DelegationRecord> {
    const row = await this.insist(() => this.sql.row<DelegationRecord>(FIND, [id]));
    if (!row) throw new Error(`there is no delegation ${id}`);
    return row;
  }

  /** Repeats through an outage of the database: each of these statements changes nothing the second time. */
  private async insist<T>(work: () => Promise<T>): Promise<T> {
    const giveUpAtMs = this.clock.monotonicMs() + PATIENCE_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.logger.error({ err: error }, 'an answer could not be committed');
        if (this.clock.monotonicMs() > giveUpAtMs) throw new AnswerLostError('', error);
        await this.clock.sleep(RETRY_MS);
      }
    }
  }
}
