import { Inject, Injectable } from '@nestjs/common';
import { BigNumber } from 'bignumber.js';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BillingService } from '../../billing/billing.service';
import { keptTransactions } from '../../billing/energy-amount';
import { FinalityWatch } from '../../chain/verified-chain/finality-watch';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { Clock } from '../../common/clock';
import { ServiceError } from '../../common/errors/service.error';
import { Leases } from '../leases';
import type { OrderAnswer, OrderRequest } from '../order-request';
import type { OrderRow } from '../order.entity';
import { OrderRepository } from '../order.repository';
import { CHARGED_STATES } from '../../common/order.states';
import { AnswerOrder } from './answer-order';
import { failed, isTaken, type OrderOutcome } from './order-outcome';
import { OrderTransactionRepository } from './order-transaction.repository';

const POLL_MS = 150;

/** An `Idempotency-Key` seen before: the stored answer, waited for when it is not there yet, decided here when its instance is gone. */
@Injectable()
export class IdempotentReplay {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly orders: OrderRepository,
    private readonly transactions: OrderTransactionRepository,
    private readonly billing: BillingService,
    private readonly answerOrder: AnswerOrder,
    private readonly leases: Leases,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly finality: FinalityWatch,
    private readonly clock: Clock,
  ) {}

  find(request: OrderRequest): Promise<OrderRow | null> {
    return this.orders.findByKey(request.userId, request.idempotencyKey);
  }

  /** @throws ServiceError IDEMPOTENCY_KEY_REUSED when the fields differ; else what `place` throws */
  async answer(request: OrderRequest, earlier: OrderRow): Promise<OrderAnswer> {
    if (!isSameRequest(request, earlier, await this.billing.findMaxCostSun(earlier.id))) {
      const sentence = 'The idempotency key was used with a different request.';
      throw new ServiceError('IDEMPOTENCY_KEY_REUSED', sentence, { details: { idempotency_key: [sentence] } });
    }
    for (;;) {
      const row = (await this.orders.findWithClaim(earlier.id))!;
      if (row.answer !== 'none') break;
      // The lease ends by the database's clock; until then the first request is alive and will answer.
      const taken = row.lapsed && (await this.orders.takeOver(earlier.id, this.leases.requestMs(false)));
      if (taken) return this.decide(taken);
      await this.clock.sleep(POLL_MS);
    }
    return this.answerOrder.fromRow(earlier.id);
  }

  /** The first request's instance is gone: the answer is what has become of the order by now. */
  private async decide(taken: OrderRow): Promise<OrderAnswer> {
    const claim = { id: taken.id, epoch: taken.epoch };
    const endMs = this.clock.monotonicMs() + this.configuration.delegation.answerTimeoutMs;
    for (let row = taken; ; row = (await this.orders.find(taken.id))!) {
      const outcome = outcomeOf(row);
      if (outcome && (row.state !== 'included' || (await this.isInChain(row.id))))
        return this.answerOrder.answer(claim, outcome);
      if (row.answer !== 'none') return this.answerOrder.fromRow(row.id);
      if (this.clock.monotonicMs() > endMs) break;
      await this.clock.sleep(POLL_MS);
    }
    const delegation = await this.transactions.findDelegation(taken.id);
    const unknown = failed('OUTCOME_UNKNOWN', 'the order was interrupted; whether it was sent is not known');
    return this.answerOrder.answer(claim, isTaken(delegation?.state) ? { kind: 'accepted' } : unknown);
  }

  /** In a block that this instance's chain does not contradict, and that may become final. */
  private async isInChain(orderId: string): Promise<boolean> {
    if (this.finality.doubt !== null) return false;
    const row = await this.transactions.findDelegation(orderId);
    const block = { number: Number(row?.block_number), id: String(row?.block_id) };
    return row?.state === 'final' || !this.referenceBlocks.contradicts(block);
  }
}

/** Null while the chain has not decided. */
function outcomeOf({ state }: OrderRow): OrderOutcome | null {
  if (state === 'included' || CHARGED_STATES.includes(state)) return { kind: 'included' };
  if (state !== 'failed' && state !== 'activating') return null;
  return failed('INTERNAL', 'the order was interrupted before it was sent, or is dead');
}

/** Normalised, not byte for byte: `"1.0"` and `1` ask for the same. */
function isSameRequest(request: OrderRequest, row: OrderRow, maxCostSun: bigint | null): boolean {
  return (
    request.maxCostSun === maxCostSun &&
    request.receiver === row.receiver &&
    request.transactions.eq(keptTransactions(new BigNumber(row.transactions))) &&
    request.rentalMinutes === row.rental_minutes &&
    request.activate === row.activate
  );
}
