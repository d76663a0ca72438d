import { Inject, Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import type { ServiceError } from '../common/errors/service.error';
import { SUN_PER_TRX } from '../common/money/sun';
import { Sql, type SqlTransaction } from '../database/sql';
import * as statements from './hold.statements';
import * as settling from './settle-hold.statements';
import type { HoldRequest, HoldRow, HoldStatement } from './hold.statements';
import { insufficientBalance, paymentRefusal } from './payment-refusal';
import { PRICING, type PricingStrategy } from './pricing/pricing.strategy';
import { LARGEST_WHOLE, roundUpToWhole } from './rounding';

/** Charged for an activation; 1 of it goes to the receiver. */
export const ACTIVATION_FEE_SUN = (SUN_PER_TRX * 3n) / 2n;

/** What an order would be paid with: null, more than any balance has. */
interface Costs {
  readonly fromBalanceSun: bigint | null;
  readonly fromQuotaSun: bigint;
}

/** What an order may cost, and by whose word. */
export interface CostLimits {
  /** The token that the order came with. */
  readonly tokenId: string | null;
  /** The order's own limit. */
  readonly maxCostSun: bigint | null;
}

export interface OrderToPay extends CostLimits {
  readonly delegationId: string;
  readonly userId: string;
  /** For the energy, when the balance pays; null: more than any balance has. */
  readonly feeSun: bigint | null;
  readonly energy: bigint;
  /** This order pays for its receiver's activation. */
  readonly activation: boolean;
  /** The block time at which a subscription has to be valid: the order's own, whichever instance writes it, and whatever any clock says. */
  readonly timeMs: number;
}

export interface HeldPayment {
  readonly paidBy: 'subscription' | 'balance';
  /** What a success costs the caller, the activation included. */
  readonly costSun: bigint;
}

/** What became of an order's hold. `unmet`: it lacks what it needs besides a payment, and whether it could be paid is not said. */
export type Holding =
  | ({ readonly kind: 'held' } & HeldPayment)
  | { readonly kind: 'refused'; readonly refusal: ServiceError }
  | { readonly kind: 'unmet' };

/**
 * Holds what an order costs and settles it once. The account stays locked until the transaction ends, so these belong at
 * its end, and a transaction that settles several orders sorts them by user. The table `holds`, and what a hold changes of accounts and
 * subscriptions.
 */
@Injectable()
export class BillingService {
  constructor(
    private readonly sql: Sql,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  /** The fee for so many transactions, rounded up to the sun; null: more than any balance has. */
  async feeSun(userId: string, transactions: BigNumber): Promise<bigint | null> {
    return roundUpToWhole(await this.exactFeeSun(userId, transactions));
  }

  async exactFeeSun(userId: string, transactions: BigNumber): Promise<BigNumber> {
    const account = this.pricing.usesAccountPrice ? await this.sql.row(statements.READ_UNIT_PRICE, [userId]) : null;
    return this.pricing.exactFeeSun(transactions, account?.unit_price_sun ?? null);
  }

  /**
   * Holds what the order costs: from the valid subscription that ends soonest among those that cover all of it, else from the balance; the
   * activation always from the balance. Its list price counts in its token's day, even if a subscription pays.
   * @throws ServiceError COST_ABOVE_MAX, TOKEN_LIMIT_REACHED, INSUFFICIENT_BALANCE; then nothing has changed
   */
  async hold(tx: SqlTransaction, order: OrderToPay): Promise<HeldPayment> {
    const held = (await this.holdEach(tx, undefined, [{ ...order, also: {} }], [])).get(order.delegationId);
    if (held?.kind !== 'held') throw held?.kind === 'refused' ? held.refusal : insufficientBalance();
    return { paidBy: held.paidBy, costSun: held.costSun };
  }

  /**
   * The same for orders of different users by a statement made of `holdText`, with what it asks for besides the orders and in each
   * of them; by the ids of their delegations. One whose account is locked at the moment is missing if the statement skips it.
   */
  async holdEach(
    tx: SqlTransaction,
    statement: HoldStatement = statements.HOLD,
    orders: readonly (OrderToPay & { readonly also: Record<string, unknown> })[],
    parts: readonly string[],
  ): Promise<Map<string, Holding>> {
    const requests = orders.map((order) => ({ ...holdRequest(order), ...order.also }));
    const holds = await tx.rows(statement, [JSON.stringify(requests), ...parts]);
    const maxCosts = new Map(orders.map(({ delegationId, maxCostSun }) => [delegationId, maxCostSun]));
    return new Map(holds.map((hold) => [hold.delegation_id, holdingOf(hold, maxCosts.get(hold.delegation_id)!)]));
  }

  /**
   * What `hold` would throw right now, or null: an answer to give before energy is looked for, never a promise. `energy` null: more
   * than any quota has; `timeMs` null: no quota counts.
   */
  async findRefusal(
    order: Omit<OrderToPay, 'delegationId' | 'energy' | 'timeMs'> & {
      readonly energy: bigint | null;
      readonly timeMs: number | null;
    },
  ): Promise<ServiceError | null> {
    const { userId, energy, tokenId, maxCostSun, timeMs } = order;
    const { fromBalanceSun, fromQuotaSun } = costsOf(order);
    const asked = [userId, energy, fromBalanceSun, fromQuotaSun] as const;
    const judged = await this.sql.row(statements.JUDGE_COST, [...asked, tokenId, maxCostSun, timeMs]);
    return judged ? paymentRefusal(judged, maxCostSun) : insufficientBalance();
  }

  /** The `max_cost` of the request that an order was held for. */
  async findMaxCostSun(delegationId: string): Promise<bigint | null> {
    return (await this.sql.row(statements.READ_MAX_COST, [delegationId]))?.max_cost_sun ?? null;
  }

  /** Before `take` or `release`, and without waiting: the orders of these whose hold, account or subscription is locked elsewhere. */
  async lockToSettle(tx: SqlTransaction, delegationIds: readonly string[]): Promise<Set<string>> {
    return new Set((await tx.rows(settling.LOCK_TO_SETTLE, [delegationIds])).map(({ delegation_id: id }) => id));
  }

  /** Before `lockToSettle`, to wait for the account alone: the first thing that its transaction locks. */
  async awaitAccount(tx: SqlTransaction, userId: string): Promise<void> {
    await tx.execute(settling.AWAIT_ACCOUNT, [userId]);
  }

  /** Before `lower`; the account stays locked to the transaction's end. False when nothing is held any more. */
  async lockHold(tx: SqlTransaction, delegationId: string): Promise<boolean> {
    return (await tx.row(settling.LOCK_HOLD, [delegationId])) !== null;
  }

  /** Gives back so much of what is held, before the order is answered: the rest is what it costs. */
  async lower(tx: SqlTransaction, delegationId: string, bySun: bigint): Promise<void> {
    await tx.execute(settling.LOWER, [delegationId, bySun]);
  }

  /** Takes what was held: the balance with its ledger entry, the quota. False when it was settled before. */
  async take(tx: SqlTransaction, delegationId: string): Promise<boolean> {
    return (await tx.rows(settling.TAKE, [delegationId])).length === 1;
  }

  /** Gives back what was held. False when it was settled before. */
  async release(tx: SqlTransaction, delegationId: string): Promise<boolean> {
    return (await tx.rows(settling.RELEASE, [delegationId])).length === 1;
  }
}

function holdRequest(order: OrderToPay): HoldRequest {
  const { fromBalanceSun, fromQuotaSun } = costsOf(order);
  return {
    delegation_id: order.delegationId,
    user_id: order.userId,
    energy: order.energy.toString(),
    from_balance_sun: fromBalanceSun?.toString(),
    from_quota_sun: fromQuotaSun.toString(),
    token_id: order.tokenId,
    max_cost_sun: order.maxCostSun?.toString(),
    time_ms: order.timeMs,
  };
}

function holdingOf(row: HoldRow, maxCostSun: bigint | null): Holding {
  if (!row.met) return { kind: 'unmet' };
  if (row.amount_sun === null) {
    return { kind: 'refused', refusal: paymentRefusal(row, maxCostSun) ?? insufficientBalance() };
  }
  return { kind: 'held', paidBy: row.subscription_id ? 'subscription' : 'balance', costSun: row.amount_sun };
}

/** The activation is always paid from the balance. */
function costsOf({ feeSun, activation }: Pick<OrderToPay, 'feeSun' | 'activation'>): Costs {
  const fromQuotaSun = activation ? ACTIVATION_FEE_SUN : 0n;
  const fromBalanceSun = feeSun === null ? null : feeSun + fromQuotaSun;
  const isPayable = fromBalanceSun !== null && fromBalanceSun <= LARGEST_WHOLE;
  return { fromBalanceSun: isPayable ? fromBalanceSun : null, fromQuotaSun };
}
