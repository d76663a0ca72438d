import { Injectable, Logger } from '@nestjs/common';
import { KeyedQueue } from '../../common/concurrency/keyed-queue';
import { ServiceError } from '../../common/errors/service.error';
import { LateRequests } from '../../common/http/late-requests';
import type { OrderClaim } from '../order-claim';
import type { OrderAnswer, OrderRequest } from '../order-request';
import type { OrderRow } from '../order.entity';
import { ActivateReceiver } from './activate-receiver';
import { AnswerLostError } from './answer-lost.error';
import { AnswerOrder } from './answer-order';
import { CheckReceiver } from './check-receiver';
import { CreateOrder } from './create-order';
import { IdempotentReplay } from './idempotent-replay';
import { failed, type OrderOutcome } from './order-outcome';
import type { PlacedOrder } from './planned-order';
import { SendDelegation } from './send-delegation';
import { WaiveActivation } from './waive-activation';

/**
 * A request's way to its committed answer:
 *   1. an idempotency key seen before is answered as its first request was
 *   2. the receiver is one that the token is for, may be delegated to, and exists or is to be activated
 *   3. the order is planned and its bytes are signed; limits are kept, money held, stake reserved, order and bytes are one commit (CreateOrder)
 *   4. a receiver that does not exist yet is activated, then the delegation is signed
 *   5. the delegation is sent; with `DELEGATION_ANSWER=included` its block is waited for
 *      an activation that turns out to have been needless is not charged (WaiveActivation)
 *   6. the answer is committed on the order's row; after that it may be given
 */
@Injectable()
export class PlaceOrder {
  private readonly logger = new Logger(PlaceOrder.name);
  /** A repeat that overtook its first request would be refused as if there were no order, and the first would then place one. */
  private readonly repeats = new KeyedQueue();

  constructor(
    private readonly late: LateRequests,
    private readonly idempotentReplay: IdempotentReplay,
    private readonly checkReceiver: CheckReceiver,
    private readonly createOrder: CreateOrder,
    private readonly activateReceiver: ActivateReceiver,
    private readonly sendDelegation: SendDelegation,
    private readonly waiveActivation: WaiveActivation,
    private readonly answerOrder: AnswerOrder,
  ) {}

  /** @throws ServiceError for every failure; with `delegationId` once the order's row exists. AnswerLostError when none may be given. */
  async place(request: OrderRequest): Promise<OrderAnswer> {
    const { userId, idempotencyKey: key } = request;
    const created = await this.repeats.run(key && `${userId} ${key}`, () => this.findOrBegin(request));
    if (!('order' in created)) return this.idempotentReplay.answer(request, created);

    // A new row's claim is the first: the column's default.
    const claim = { id: created.order.id, epoch: 0 };
    try {
      return await this.answerOrder.answer(claim, await this.carryOut(claim, created));
    } catch (error) {
      // An ordinary failure comes this way too: committed, then thrown.
      if (isOnTheRow(error) || error instanceof AnswerLostError) throw error;
      // The order stands and may be on its way: no failure is given that is not committed, whatever went wrong.
      const code = error instanceof ServiceError ? error.code : 'OUTCOME_UNKNOWN';
      this.logger.error({ delegation: claim.id, err: error }, 'An order failed after it was written');
      return this.answerOrder.failure(claim, failed(code, error instanceof Error ? error.message : String(error)));
    }
  }

  private async findOrBegin(request: OrderRequest): Promise<OrderRow | PlacedOrder> {
    const earlier = await this.idempotentReplay.find(request);
    if (earlier) return earlier;
    try {
      return await this.begin(request);
    } catch (refusal) {
      // On another instance the first request with its key may have been written meanwhile: it took what is wanting here, or met another node.
      const first = await this.idempotentReplay.find(request);
      if (first) return first;
      throw refusal;
    }
  }

  /** Steps 2 and 3. When it throws nothing is written, or it is not known whether the commit was done; nothing is sent in any case. */
  private async begin(request: OrderRequest): Promise<PlacedOrder> {
    this.late.refuse();
    this.checkReceiver.refuseOthers(request);
    const receiverIsActive = await this.checkReceiver.isActive(request.receiver, request.activate);
    return this.createOrder.create(request, receiverIsActive);
  }

  /** Steps 4 and 5. From the sending on the chain may carry the order out, whatever happens to this process. */
  private async carryOut(claim: OrderClaim, created: PlacedOrder): Promise<OrderOutcome> {
    const { wallet } = created;
    if (created.state === 'pending')
      return this.sendDelegation.send(claim.id, wallet, created.delegation.signed, created.claimedMs);
    const activated = await this.activateReceiver.activate(claim, created);
    if (activated.kind === 'failed') return activated;
    const send = () => this.sendDelegation.send(claim.id, wallet, activated.delegation, activated.claimedMs);
    return this.waiveActivation.meanwhile(claim, created, send);
  }
}

/** A failure that stands on the order's row already. */
function isOnTheRow(error: unknown): boolean {
  return error instanceof ServiceError && error.delegationId !== undefined;
}
