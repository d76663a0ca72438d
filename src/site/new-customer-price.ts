import BigNumber from 'bignumber.js';
import type { PricingStrategy } from '../billing/pricing/pricing.strategy';
import { trxLiteral } from '../common/money/sun';

/** TRX for one transaction, for an account that has no price of its own. */
export function newCustomerPrice(pricing: PricingStrategy): string {
  return trxLiteral(BigInt(pricing.exactFeeSun(new BigNumber(1), null).toFixed(0, BigNumber.ROUND_UP)));
}
