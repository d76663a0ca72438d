import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { ACTIVATION_FEE_SUN, BillingService } from './billing.service';
import { energyOf } from './energy-amount';
import { PayerRepository } from './payer.repository';
import { insufficientBalance } from './payment-refusal';
import { LARGEST_WHOLE } from './rounding';

export interface PaymentOutlookView {
  readonly energy: bigint;
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

  /** @throws ServiceError INSUFFICIENT_BALANCE for more than any account could pay */
  async of(userId: string, transactions: BigNumber, activation: boolean): Promise<PaymentOutlookView> {
    const energy = energyOf(transactions);
    const feeSun = await this.billing.feeSun(userId, transactions);
    const activationSun = activation ? ACTIVATION_FEE_SUN : 0n;
    if (energy === null || feeSun === null || feeSun + activationSun > LARGEST_WHOLE) throw insufficientBalance();
    const costs = { fromBalanceSun: feeSun + activationSun, fromQuotaSun: activationSun };
    const { quota, balance } = await this.payers.find(userId, energy, costs);
    const paidBy = quota ? 'subscription' : balance ? 'balance' : null;
    return { energy, costSun: quota ? 0n : feeSun, activationSun, paidBy };
  }
}
