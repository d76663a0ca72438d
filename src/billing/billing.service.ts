import { Inject, Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { ServiceError } from '../common/errors/service.error';
import { SUN_PER_TRX } from '../common/money/sun';
import { Sql, type SqlTransaction, type Statement } from '../database/sql';
import { AWAIT_ACCOUNT, CAN_PAY, HOLD, LOCK_TO_SETTLE, READ_UNIT_PRICE, RELEASE, TAKE } from './hold.statements';
import { PRICING, type PricingStrategy } from './pricing/pricing.strategy';
import { LARGEST_WHOLE, roundUpToWhole } from './rounding';

/** Charged for an activation; 1 of it goes to the receiver. */
export const ACTIVATION_FEE_SUN = (SUN_PER_TRX * 3n) / 2n;

export interface OrderToPay {
  delegationId: string;
  userId: string;
  /** For the energy, when the balance pays; null: more than any balance has. */
  feeSun: bigint | null;
  energy: bigint;
  /** This order pays for its receiver's activation. */
  activation: boolean;
}

export interface HeldPayment {
  paidBy: 'subscription' | 'balance';
  /** What a success costs the caller, the activation included. */
  costSun: bigint;
}

/** What became of an order's hold. `unmet`: it lacks what it needs beside a payment, and whether it could be paid is not said. */
export type Holding =
  ({ readonly kind: 'held' } & HeldPayment) | { readonly kind: 'unpayable' } | { readonly kind: 'unmet' };

/**
 * Holds what an order costs and settles it once. The account stays locked until the transaction ends, so these belong at
 * its end, and a transaction that settles several orders sorts them by user.
 */
@Injectable()
export class BillingService {
  constructor(
    private readonly sql: Sql,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  /** The fee for so many transactions, rounded up to the sun; null: more than any balance has. */
  async feeSun(userId: string, transactions: BigNumber): Promise<bigint | null> {
    const account = this.pricing.usesAccountPrice
      ? await this.sql.row<{ unit_price_sun: bigint | null }>(READ_UNIT_PRICE, [userId])
      : null;
    return roundUpToWhole(this.pricing.exactFeeSun(transactions, account?.unit_price_sun ?? null));
  }

  /**
   * Holds what the order costs: from the valid subscription that ends soonest among those that cover all of it, else from
   * the balance; the activation always from the balance. A refusal is an INSUFFICIENT_BALANCE and has changed nothing.
   */
  async hold(tx: SqlTransaction, order: OrderToPay): Promise<HeldPayment> {
    const held = (await this.holdEach(tx, HOLD, [order])).get(order.delegationId);
    if (held?.kind !== 'held') throw insufficientBalance();
    return { paidBy: held.paidBy, costSun: held.costSun };
  }

  /**
   * The same for orders of different users by a statement made of `holdText`, with what it asks for beside the orders and in each
   * of them; by the ids of their delegations. One whose account is locked at the moment is missing if the statement skips it.
   */
  async holdEach(
    tx: SqlTransaction,
    statement: Statement,
    orders: readonly (OrderToPay & { readonly also?: Record<string, unknown> })[],
    values: readonly unknown[] = [],
  ): Promise<Map<string, Holding>> {
    const wanted = orders.map((order) => ({
      delegation_id: order.delegationId,
      user_id: order.userId,
      energy: order.energy.toString(),
      from_balance_sun: costFromBalanceSun(order)?.toString(),
      from_quota_sun: activationSun(order).toString(),
      ...order.also,
    }));
    const holds = await tx.rows<Hold>(statement, [JSON.stringify(wanted), ...values]);
    return new Map(holds.map((hold) => [hold.delegation_id, holdingOf(hold)]));
  }

  /** Whether `hold` would succeed right now: an answer to give before energy is looked for, never a promise. */
  async canPay(order: Omit<OrderToPay, 'delegationId'>): Promise<boolean> {
    const values = [order.userId, order.energy, costFromBalanceSun(order), activationSun(order)];
    return (await this.sql.row<{ payable: boolean }>(CAN_PAY, values))?.payable ?? false;
  }

  /** Before `take` or `release`, to wait for nobody: the orders of these whose hold, account or subscription somebody else has locked. */
  async lockToSettle(tx: SqlTransaction, delegationIds: readonly string[]): Promise<Set<string>> {
    const locked = await tx.rows<{ delegation_id: string }>(LOCK_TO_SETTLE, [delegationIds]);
    return new Set(locked.map(({ delegation_id: id }) => id));
  }

  /** Before `lockToSettle`, to wait for the account alone: the first thing that its transaction locks. */
  async awaitAccount(tx: SqlTransaction, userId: string): Promise<void> {
    await tx.execute(AWAIT_ACCOUNT, [userId]);
  }

  /** Takes what was held: the balance with its ledger entry, the quota. False when it was settled before. */
  async take(tx: SqlTransaction, delegationId: string): Promise<boolean> {
    return (await tx.rows(TAKE, [delegationId])).length === 1;
  }

  /** Gives back what was held. False when it was settled before. */
  async release(tx: SqlTransaction, delegationId: string): Promise<boolean> {
    return (await tx.rows(RELEASE, [delegationId])).length === 1;
  }
}

interface Hold {
  delegation_id: string;
  met: boolean;
  amount_sun: bigint | null;
  subscription_id: string | null;
}

function holdingOf({ met, amount_sun: costSun, subscription_id: subscription }: Hold): Holding {
  if (!met) return { kind: 'unmet' };
  if (costSun === null) return { kind: 'unpayable' };
  return { kind: 'held', paidBy: subscription ? 'subscription' : 'balance', costSun };
}

export function insufficientBalance(): ServiceError {
  return new ServiceError('INSUFFICIENT_BALANCE', 'neither quota nor balance covers the order');
}

function costFromBalanceSun(order: Pick<OrderToPay, 'feeSun' | 'activation'>): bigint | null {
  if (order.feeSun === null) return null;
  const costSun = order.feeSun + activationSun(order);
  return costSun > LARGEST_WHOLE ? null : costSun;
}

function activationSun(order: Pick<OrderToPay, 'activation'>): bigint {
  return order.activation ? ACTIVATION_FEE_SUN : 0n;
}
