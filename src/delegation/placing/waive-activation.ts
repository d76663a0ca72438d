import { Injectable, Logger } from '@nestjs/common';
import { ACTIVATION_FEE_SUN, BillingService } from '../../billing/billing.service';
import { AccountCreation } from '../../chain/tron/node/account-creation';
import { Clock } from '../../common/clock';
import { AccountLanes } from '../../balance/account-lanes';
import type { OrderClaim } from '../order-claim';
import { OrderHistories } from '../order-histories';
import { OrderRepository } from '../order.repository';
import { FreeActivations } from './free-activations';
import type { ActivatingOrder } from './planned-order';

/** After a delegation that took a block or more, nodes have long said what they know; one that shows the fee, or fails, is not waited for. */
const LONGEST_WAIT_MS = 1_000;
/** For the account's lock: without it the activation is charged. */
const PATIENCE_MS = 5_000;

/**
 * An order does not pay for the activation that it sent where the account existed before: nodes that lagged did not show it, or somebody
 * else was faster. That is decided before the answer is committed, for what was answered is what happens to the money. What nodes that lie
 * can give away by it, and a caller who races us, are so many a day as free activations; what comes beyond that is charged.
 */
@Injectable()
export class WaiveActivation {
  private readonly logger = new Logger(WaiveActivation.name);

  constructor(
    private readonly creation: AccountCreation,
    private readonly lanes: AccountLanes,
    private readonly orders: OrderRepository,
    private readonly billing: BillingService,
    private readonly freeActivations: FreeActivations,
    private readonly histories: OrderHistories,
    private readonly clock: Clock,
  ) {}

  /** Asks the nodes while `work` has the delegation sent; where that is a success, the charge is what it should be afterwards. */
  async meanwhile<Outcome extends { readonly kind: string }>(
    claim: OrderClaim,
    { activation, order }: ActivatingOrder,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    // Another order's: this one pays for none. Nor does one of the service itself.
    if (!activation || order.request.isFree) return work();
    const ended = new AbortController();
    let existed = false;
    const asked = this.creation.wasThereBefore(activation.transaction.signed.txId, ended.signal).then(
      (found) => (existed = found),
      () => undefined,
    );
    try {
      const outcome = await work();
      if (outcome.kind === 'failed') return outcome;
      await this.clock.waitAtMost(LONGEST_WAIT_MS, asked);
      if (existed) await this.waive(claim, order.request.userId, order.reference.headTimeMs);
      return outcome;
    } finally {
      ended.abort();
    }
  }

  /** Never throws: what is not waived is charged, as the order says. */
  private async waive(claim: OrderClaim, userId: string, headTimeMs: number): Promise<void> {
    try {
      const isWaived = await this.lanes.transaction(async (tx) => {
        if (!(await this.orders.lockUnanswered(tx, claim))) return null;
        // Its account stays locked to the end: orders of one account are counted one after the other.
        if (!(await this.billing.lockHold(tx, claim.id))) return null;
        if (!(await this.freeActivations.waive(tx, claim.id, userId, headTimeMs))) return false;
        await this.billing.lower(tx, claim.id, ACTIVATION_FEE_SUN);
        await this.orders.lowerCost(tx, claim.id, ACTIVATION_FEE_SUN);
        await this.histories.note(tx, claim.id, 'activation not charged', {});
        return true;
      }, PATIENCE_MS);
      if (isWaived === null) return;
      const what = isWaived ? 'is not charged' : 'is charged all the same: its account has had as many for nothing';
      this.logger.warn({ delegation: claim.id }, `An activation of an account that existed before ${what}`);
    } catch (error) {
      this.logger.error({ delegation: claim.id, err: error }, 'An activation that was not needed could not be waived');
    }
  }
}
