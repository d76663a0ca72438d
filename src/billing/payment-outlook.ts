import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { ACTIVATION_FEE_SUN, BillingService } from './billing.service';
import { energyOf } from './energy-amount';
import { PayerRepository, type Payers } from './payer.repository';
import { LARGEST_WHOLE, roundUpBounded } from './rounding';

const NOBODY: Payers = { quota: false, balance: false };

export interface PaymentOutlookView {
  /** Null: more than any wallet or quota holds. */
  readonly energy: bigint | null;
  /** Without the activation: 0 when quota pays, else the price. */
  readonly costSun: bigint;
  readonly activationSun: bigint;
  /** Null: neither covers the order with its activation. */
  readonly paidBy: 'subscription' | 'balance' | null;
}

/** What an order would be charged now, and who would pay it. Holds and promises nothing. */
@Injectable()
export class PaymentOutlook {
  constructor(
    private readonly billing: BillingService,
    private readonly payers: PayerRepository,
  ) {}

  /** `transactions`: without an exponent that would turn into digits. */
  async of(userId: string, transactions: BigNumber, activation: boolean): Promise<PaymentOutlookView> {
    const energy = energyOf(transactions);
    const feeSun = roundUpBounded(await this.billing.exactFeeSun(userId, transactions));
    const activationSun = activation ? ACTIVATION_FEE_SUN : 0n;
    const fromBalanceSun = feeSun + activationSun;
    const isBeyondAll = energy === null || fromBalanceSun > LARGEST_WHOLE;
    const costs = { fromBalanceSun, fromQuotaSun: activationSun };
    const { quota, balance } = isBeyondAll ? NOBODY : await this.payers.find(userId, energy, costs);
    const paidBy = quota ? 'subscription' : balance ? 'balance' : null;
    return { energy, costSun: quota ? 0n : feeSun, activationSun, paidBy };
  }
}
