import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { ACTIVATION_FEE_SUN, BillingService } from './billing.service';
import { energyOf } from './energy-amount';
import { PayerRepository } from './payer.repository';
import { LARGEST_WHOLE, roundUpBounded } from './rounding';

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

/** What an order would be charged now, and who would pay it. Holds and promises nothing. */
@Injectable()
export class PaymentOutlook {
  constructor(
    private readonly billing: BillingService,
    private readonly payers: PayerRepository,
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
    const [{ quota, balance }, refusal] = await Promise.all([
      this.payers.find(userId, energy, { fromBalanceSun, fromQuotaSun: activationSun }, timeMs),
      this.billing.findRefusal({ userId, tokenId, maxCostSun: null, energy, feeSun, activation, timeMs }),
    ]);
    const paidBy = quota ? 'subscription' : balance ? 'balance' : null;
    return { energy, costSun: quota ? 0n : feeSun, activationSun, paidBy, payable: refusal === null };
  }
}
