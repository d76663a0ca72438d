import { Inject, Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { ServiceError } from '../common/service.error';
import { SUN_PER_TRX } from '../common/sun';
import { Sql, type SqlTransaction, type Statement } from '../database/sql';
import { CAN_PAY, HOLD, HOLD_SKIPPING_LOCKED, READ_UNIT_PRICE, RELEASE, TAKE } from './hold.statements';
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
    if (!held) throw insufficientBalance();
    return held;
  }

  /**
   * The same for orders of different users, by the ids of their delegations: null for one that cannot be paid. One whose account is
   * locked at the moment is missing.
   */
  holdAll(tx: SqlTransaction, orders: readonly OrderToPay[]): Promise<Map<string, HeldPayment | null>> {
    return this.holdEach(tx, HOLD_SKIPPING_LOCKED, orders);
  }

  /** Whether `hold` would succeed right now: an answer to give before energy is looked for, never a promise. */
  async canPay(order: Omit<OrderToPay, 'delegationId'>): Promise<boolean> {
    const values = [order.userId, order.energy, costFromBalanceSun(order), activationSun(order)];
    return (await this.sql.row<{ payable: boolean }>(CAN_PAY, values))?.payable ?? false;
  }

  /** Takes what was held: the balance with its ledger entry, the quota. False when it was settled before. */
  async take(tx: SqlTransaction, delegationId: string): Promise<boolean> {
    return (await tx.rows(TAKE, [delegationId])).length === 1;
  }

  /** Gives back what was held. False when it was settled before. */
  async release(tx: SqlTransaction, delegationId: string): Promise<boolean> {
    return (await tx.rows(RELEASE, [delegationId])).length === 1;
  }

  private async holdEach(
    tx: SqlTransaction,
    statement: Statement,
    orders: readonly OrderToPay[],
  ): Promise<Map<string, HeldPayment | null>> {
    const wanted = orders.map((order) => ({
      delegation_id: order.delegationId,
      user_id: order.userId,
      energy: order.energy.toString(),
      from_balance_sun: costFromBalanceSun(order)?.toString(),
      from_quota_sun: activationSun(order).toString(),
    }));
    const holds = await tx.rows<Hold>(statement, [JSON.stringify(wanted)]);
    return new Map(holds.map((hold) => [hold.delegation_id, paymentOf(hold)]));
  }
}

interface Hold {
  delegation_id: string;
  amount_sun: bigint | null;
  subscription_id: string | null;
}

function paymentOf({ amount_sun: costSun, subscription_id: subscription }: Hold): HeldPayment | null {
  return costSun === null ? null : { paidBy: subscription ? 'subscription' : 'balance', costSun };
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
