import type BigNumber from 'bignumber.js';
import { formatTrx } from '../../common/money/sun';
import type { PricingStrategy } from './pricing.strategy';

/** The account's unit price, 2 to 2.5 native units per transaction (the database refuses others), or the configured default. */
export class VariantBPricing implements PricingStrategy {
  readonly description: string;
  readonly usesAccountPrice = true;

  constructor(private readonly defaultUnitPriceSun: bigint) {
    this.description = `variant B: the account's own price a transaction, else ${formatTrx(defaultUnitPriceSun)} TRX`;
  }

  exactFeeSun(transactions: BigNumber, accountUnitPriceSun: bigint | null): BigNumber {
    return transactions.multipliedBy((accountUnitPriceSun ?? this.defaultUnitPriceSun).toString());
  }
}
