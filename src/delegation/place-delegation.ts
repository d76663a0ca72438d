import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BlockFollower } from '../chain/follower/block-follower';
import { InclusionWaits } from '../chain/follower/inclusion-waits';
import { refusedForStake } from '../chain/node/broadcast-outcome';
import { Outbox } from '../chain/outbox/outbox';
import type { SignedTransaction } from '../chain/signed-transaction';
import { Clock } from '../common/clock';
import { Sql } from '../database/sql';
import { ActivateReceiver } from './activate-receiver';
import { AnswerDelegation, type OrderClaim } from './answer-delegation';
import { CheckReceiver } from './check-receiver';
import type { DelegationAnswer, DelegationOrder } from './delegation-order';
import { CHANGE_STATE } from './delegation.statements';
import { statesBefore } from './delegation.states';
import { RepeatOrder } from './repeat-order';
import { WriteOrder } from './write-order';

/** A request's way from a validated order to its committed answer. */
@Injectable()
export class PlaceDelegation {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly repeatOrder: RepeatOrder,
    private readonly checkReceiver: CheckReceiver,
    private readonly writeOrder: WriteOrder,
    private readonly activateReceiver: ActivateReceiver,
    private readonly outbox: Outbox,
    private readonly waits: InclusionWaits,
    private readonly follower: BlockFollower,
    private readonly answer: AnswerDelegation,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError for every failure; with `delegationId` once the order's row exists. AnswerLostError when none may be given. */
  async place(order: DelegationOrder): Promise<DelegationAnswer> {
    const earlier = await this.repeatOrder.find(order);
    if (earlier) return this.repeatOrder.answer(order, earlier);

    const receiverIsActive = await this.checkReceiver.isActive(order.receiver, order.activate);
    const written = await this.writeOrder.write(order, receiverIsActive);
    if (written.kind === 'repeated') return this.repeatOrder.answer(order, written.row);

    const claim = { id: written.id, epoch: 0 };
    if (written.kind === 'signed') return this.send(claim, written.delegation);
    const activated = await this.activateReceiver.activate(claim, order.receiver, written);
    return 'failure' in activated
      ? this.answer.failure(claim, activated.failure, activated.reason)
      : this.send(claim, activated.delegation);
  }

  /** From here on the chain may carry the order out, whatever happens to this process. */
  private async send(claim: OrderClaim, delegation: SignedTransaction): Promise<DelegationAnswer> {
    const wait = this.waits.expect(delegation.txId);
    this.follower.wake();
    try {
      const startedMs = this.clock.monotonicMs();
      const { outcome } = await this.outbox.send(delegation);
      await this.sql.execute(CHANGE_STATE, [
        claim.id,
        statesBefore('sent').filter((from) => from === 'pending'),
        'sent',
        '{}',
      ]);
      if (outcome.kind === 'refused') {
        const code = refusedForStake(outcome)
          ? 'INSUFFICIENT_ENERGY'
          : outcome.elsewhere
            ? 'NODE_UNAVAILABLE'
            : 'INTERNAL';
        return await this.answer.failure(claim, code, `${outcome.code}: ${outcome.message}`);
      }
      const { answer, answerTimeoutMs } = this.configuration.delegation;
      if (outcome.kind === 'accepted' && answer === 'accepted') return await this.answer.success(claim, 'accepted');
      const block = await wait.within(answerTimeoutMs - (this.clock.monotonicMs() - startedMs));
      if (block) return await this.answer.success(claim, 'included');
      if (outcome.kind === 'accepted') return await this.answer.success(claim, 'accepted');
      return await this.answer.failure(claim, 'OUTCOME_UNKNOWN', `${outcome.code}: ${outcome.message}`);
    } finally {
      wait.end();
    }
  }
}
