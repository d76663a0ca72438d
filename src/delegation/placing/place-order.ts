import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BlockFollower } from '../../chain/follower/block-follower';
import { InclusionWaiters } from '../../chain/follower/inclusion-waiters';
import { refusedForStake, type BroadcastOutcome } from '../../chain/node/broadcast-outcome';
import { Outbox } from '../../chain/outbox/outbox';
import type { SignedTransaction } from '../../chain/signing/signed-transaction';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import { Clock } from '../../common/clock';
import { awaitAll } from '../../common/concurrency/await-all';
import type { ErrorCode } from '../../common/errors/error-codes';
import { ServiceError } from '../../common/errors/service.error';
import { Sql } from '../../database/sql';
import { DatabaseRetry } from '../database-retry';
import { Leases } from '../leases';
import type { OrderAnswer, OrderRequest } from '../order-request';
import { CHANGE_STATES } from '../order.statements';
import { refusalText, WalletRefusals } from '../wallet-refusals';
import { ActivateReceiver } from './activate-receiver';
import { AnswerLostError } from './answer-lost.error';
import { AnswerOrder, BEFORE_SENT, type OrderClaim } from './answer-order';
import { CheckReceiver } from './check-receiver';
import { CreateOrder, type WrittenOrder } from './create-order';
import { IdempotentReplay } from './idempotent-replay';
import { SendDelegation } from './send-delegation';

/** A request's way from a validated order to its committed answer. */
@Injectable()
export class PlaceOrder {
  private readonly logger = new Logger(PlaceOrder.name);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly idempotentReplay: IdempotentReplay,
    private readonly checkReceiver: CheckReceiver,
    private readonly createOrder: CreateOrder,
    private readonly activateReceiver: ActivateReceiver,
    private readonly outbox: Outbox,
    private readonly sendDelegation: SendDelegation,
    private readonly waiters: InclusionWaiters,
    private readonly follower: BlockFollower,
    private readonly answer: AnswerOrder,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly leases: Leases,
    private readonly databaseRetry: DatabaseRetry,
    private readonly walletRefusals: WalletRefusals,
  ) {}

  /** @throws ServiceError for every failure; with `delegationId` once the order's row exists. AnswerLostError when none may be given. */
  async place(order: OrderRequest): Promise<OrderAnswer> {
    const earlier = await this.idempotentReplay.find(order);
    if (earlier) return this.idempotentReplay.answer(order, earlier);

    const receiverIsActive = await this.checkReceiver.isActive(order.receiver, order.activate);
    const startedMs = this.clock.monotonicMs();
    const written = await this.createOrder.write(order, receiverIsActive);
    if (written.kind === 'repeated') return this.idempotentReplay.answer(order, written.row);
    const claim = { id: written.id, epoch: 0 };
    try {
      return await this.carryOut(claim, order.receiver, written, startedMs);
    } catch (error) {
      if (isCommitted(error) || error instanceof AnswerLostError) throw error;
      // The order stands and may be on its way: no failure is told that is not committed, whatever went wrong.
      const code = error instanceof ServiceError ? error.code : 'OUTCOME_UNKNOWN';
      this.logger.error({ delegation: claim.id, err: error }, 'an order went wrong after it was written');
      return this.answer.failure(claim, code, error instanceof Error ? error.message : String(error));
    }
  }

  private async carryOut(
    claim: OrderClaim,
    receiver: string,
    written: Exclude<WrittenOrder, { kind: 'repeated' }>,
    startedMs: number,
  ): Promise<OrderAnswer> {
    const { wallet } = written;
    if (written.kind === 'signed') return this.send(claim, wallet, written.delegation, startedMs);
    const activated = await this.activateReceiver.activate(claim, receiver, written);
    if (!('failure' in activated)) return this.send(claim, wallet, activated.delegation, activated.signedMs);
    const { failure, reason, refused } = activated;
    return this.answer.failure(claim, failure, reason, refused ? reason : null);
  }

  /** From here on the chain may carry the order out, whatever happens to this process. */
  private async send(
    claim: OrderClaim,
    wallet: WalletRow,
    delegation: SignedTransaction,
    claimedMs: number,
  ): Promise<OrderAnswer> {
    const wait = this.waiters.add(delegation.txId);
    this.follower.wake();
    try {
      const startedMs = this.clock.monotonicMs();
      // Stopped for longer than its claim: another instance may have told the caller that it failed.
      const claimEndsMs = claimedMs + this.leases.requestMs(false);
      if (startedMs > claimEndsMs) {
        return await this.answer.failure(claim, 'OUTCOME_UNKNOWN', 'the claim ran out before it was sent');
      }
      const { answer, answerTimeoutMs } = this.configuration.delegation;
      const sent = await this.sendDelegation.broadcast(delegation, answerTimeoutMs, claimEndsMs);
      const { outcome } = sent;
      if (outcome.kind === 'accepted' && answer === 'accepted') {
        return await this.answer.success(claim, 'accepted', sent);
      }
      await this.databaseRetry.throughOutage(() =>
        this.sql.transaction((tx) =>
          awaitAll(
            this.outbox.record(tx, [sent]),
            tx.execute(CHANGE_STATES, [
              JSON.stringify([{ id: claim.id, detail: {} }]),
              [claim.id],
              BEFORE_SENT,
              'sent',
            ]),
          ),
        ),
      );
      if (outcome.kind === 'refused') {
        const reason = refusalText(outcome);
        this.logger.error({ delegation: claim.id, wallet: wallet.name }, `A delegation was refused: ${reason}`);
        // Before the answer: the caller's next order takes another wallet.
        await this.walletRefusals.note(wallet, 'delegation', delegation.txId, outcome);
        return await this.answer.failure(claim, codeOfRefusal(outcome), reason, reason);
      }
      const block = await wait.within(answerTimeoutMs - (this.clock.monotonicMs() - startedMs));
      if (block) return await this.answer.success(claim, 'included');
      if (outcome.kind === 'accepted') return await this.answer.success(claim, 'accepted');
      return await this.answer.failure(claim, 'OUTCOME_UNKNOWN', `${outcome.code}: ${outcome.message}`);
    } finally {
      wait.end();
    }
  }
}

/** A failure that stands on the order's row already. */
function isCommitted(error: unknown): boolean {
  return error instanceof ServiceError && error.delegationId !== undefined;
}

function codeOfRefusal(outcome: Extract<BroadcastOutcome, { kind: 'refused' }>): ErrorCode {
  if (refusedForStake(outcome)) return 'INSUFFICIENT_ENERGY';
  return outcome.elsewhere ? 'NODE_UNAVAILABLE' : 'INTERNAL';
}
