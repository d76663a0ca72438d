import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { Clock } from '../../common/clock';
import { ServiceError } from '../../common/errors/service.error';
import { Sql } from '../../database/sql';
import { Leases } from '../leases';
import type { OrderAnswer, OrderRequest } from '../order-request';
import type { OrderRecord } from '../order-row';
import { FIND, FIND_BY_KEY, TAKE_OVER, WAIT_FOR_ANSWER } from '../order.statements';
import { AnswerOrder, type OrderClaim } from './answer-order';
import { DELEGATION_TXID } from './order-transaction.statements';

const POLL_MS = 150;

/** An `Idempotency-Key` seen before: the stored answer, waited for when it is not there yet, decided here when its instance is gone. */
@Injectable()
export class IdempotentReplay {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly answerDelegation: AnswerOrder,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  async find(order: OrderRequest): Promise<OrderRecord | null> {
    if (order.idempotencyKey === null) return null;
    return this.sql.row<OrderRecord>(FIND_BY_KEY, [order.userId, order.idempotencyKey]);
  }

  /** @throws ServiceError IDEMPOTENCY_KEY_REUSED when the fields differ; else what `place` throws */
  async answer(order: OrderRequest, earlier: OrderRecord): Promise<OrderAnswer> {
    if (!sameRequest(order, earlier)) {
      const sentence = 'The idempotency key was used with a different request.';
      throw new ServiceError('IDEMPOTENCY_KEY_REUSED', sentence, { details: { idempotency_key: [sentence] } });
    }
    for (;;) {
      const row = await this.sql.row<OrderRecord & { lapsed: boolean }>(WAIT_FOR_ANSWER, [earlier.id]);
      if (row!.answer !== 'none') break;
      // The lease ends by the database's clock; until then the first request is alive and will answer.
      const taken =
        row!.lapsed && (await this.sql.row<OrderRecord>(TAKE_OVER, [earlier.id, this.leases.requestMs(false)]));
      if (taken) return this.decide(taken);
      await this.clock.sleep(POLL_MS);
    }
    return this.answerDelegation.fromRow(earlier.id);
  }

  /** The first request's instance is gone: the caller is told what has become of the order by now. */
  private async decide(taken: OrderRecord): Promise<OrderAnswer> {
    const claim: OrderClaim = { id: taken.id, epoch: taken.epoch };
    const endMs = this.clock.monotonicMs() + this.configuration.delegation.answerTimeoutMs;
    for (let row = taken; ; row = await this.reload(row.id)) {
      if (['included', 'delegated', 'reclaiming', 'reclaimed'].includes(row.state))
        return this.answerDelegation.success(claim, 'included');
      if (['failed', 'activating'].includes(row.state))
        return this.answerDelegation.failure(
          claim,
          'INTERNAL',
          'the order was interrupted before it was sent, or is dead',
        );
      if (row.answer !== 'none') return this.answerDelegation.fromRow(row.id);
      if (this.clock.monotonicMs() > endMs) break;
      await this.clock.sleep(POLL_MS);
    }
    const sent = await this.sql.row<{ state: string }>(DELEGATION_TXID, [taken.id]);
    return sent?.state === 'sent'
      ? this.answerDelegation.success(claim, 'accepted')
      : this.answerDelegation.failure(
          claim,
          'OUTCOME_UNKNOWN',
          'the order was interrupted; whether it was sent is not known',
        );
  }

  private async reload(id: string): Promise<OrderRecord> {
    return (await this.sql.row<OrderRecord>(FIND, [id]))!;
  }
}

/** Normalised, not byte for byte: `"1.0"` and `1` ask for the same. */
function sameRequest(order: OrderRequest, row: OrderRecord): boolean {
  return (
    order.receiver === row.receiver &&
    order.transactions.toFixed() === row.transactions &&
    order.rentalMinutes === row.rental_minutes &&
    order.activate === row.activate
  );
}
