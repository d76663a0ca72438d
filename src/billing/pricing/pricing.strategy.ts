import type BigNumber from 'bignumber.js';

/** One billing variant of the contract. */
export interface PricingStrategy {
  /** For an operator who starts the service. */
  readonly description: string;
  /** The fee depends on the account's unit price, which is then read with every order. */
  readonly usesAccountPrice: boolean;
  /** The exact fee in sun; rounding is the caller's. */
  exactFeeSun(transactions: BigNumber, accountUnitPriceSun: bigint | null): BigNumber;
}

/** The injection token of the one strategy in use. */
export const PRICING = Symbol('PRICING');
