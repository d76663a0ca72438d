import type BigNumber from 'bignumber.js';
import type { PricingStrategy } from './pricing.strategy';

const UNIT_PRICE_SUN = 3_000_000;

/** 3 native units per transaction, the same for everyone. */
export class VariantAPricing implements PricingStrategy {
  readonly description = 'variant A: 3 TRX a transaction';
  readonly usesAccountPrice = false;

  exactFeeSun(transactions: BigNumber): BigNumber {
    return transactions.multipliedBy(UNIT_PRICE_SUN);
  }
}
