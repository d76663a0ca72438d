import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';
import { ACTIVATION_FEE_SUN, BillingService } from './billing.service';
import { energyOf } from './energy-amount';
import { LARGEST_WHOLE, roundUpBounded } from './rounding';
import { isValidAt } from './validity.sql';

export interface PaymentOutlookView {
  /** Null: more than any wallet or quota holds. */
  readonly energy: bigint | null;
  /** Without the activation: 0 when quota pays, else the price. */
  readonly costSun: bigint;
  readonly activationSun: bigint;
  /** Null: neither covers the order with its activation. */
  readonly paidBy: 'subscription' | 'balance' | null;
  /** One of them covers it, and no limit of the token refuses it. */
  readonly payable: boolean;
}

/** $1 user, $2 energy, $3 cost if the balance pays, $4 cost if quota pays, $5 block time: as `HOLD` chooses, without a lock. */
const PAYERS = statement<
  [userId: string, energy: bigint, fromBalanceSun: bigint, fromQuotaSun: bigint, timeMs: number],
  { quota: boolean; balance: boolean }
>(
  'billing_payers',
  `
    select spendable >= $3::bigint as balance, spendable >= $4::bigint and exists (
      select from subscriptions s
      where s.user_id = $1
        and ${isValidAt('s', '$5::bigint')}
        and s.quota_energy - s.used_energy - s.held_energy >= $2::bigint
    ) as quota
    from (select balance_sun - held_sun as spendable from accounts where user_id = $1) a`,
);

/** What an order would be charged now, and who would pay it. Holds and promises nothing. */
@Injectable()
export class PaymentOutlook {
  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
  ) {}

  /**
   * `transactions`: without an exponent that would turn into digits. `tokenId`: whose limits apply; null: none. `timeMs`: the block time
   * at which a subscription has to be valid.
   */
  async of(
    userId: string,
    tokenId: string | null,
    transactions: BigNumber,
    activation: boolean,
    timeMs: number,
  ): Promise<PaymentOutlookView> {
    const energy = energyOf(transactions);
    const feeSun = roundUpBounded(await this.billing.exactFeeSun(userId, transactions));
    const activationSun = activation ? ACTIVATION_FEE_SUN : 0n;
    const fromBalanceSun = feeSun + activationSun;
    if (energy === null || fromBalanceSun > LARGEST_WHOLE)
      return { energy, costSun: feeSun, activationSun, paidBy: null, payable: false };
    const [payers, refusal] = await Promise.all([
      this.sql.row(PAYERS, [userId, energy, fromBalanceSun, activationSun, timeMs]),
      this.billing.findRefusal({ userId, tokenId, maxCostSun: null, energy, feeSun, activation, timeMs }),
    ]);
    const paidBy = payers?.quota ? 'subscription' : payers?.balance ? 'balance' : null;
    return { energy, costSun: payers?.quota ? 0n : feeSun, activationSun, paidBy, payable: refusal === null };
  }
}
