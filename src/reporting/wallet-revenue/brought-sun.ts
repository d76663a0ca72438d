import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';

export interface ChargedEnergy {
  /** What balances paid. */
  readonly chargedSun: bigint;
  /** Energy that balances paid for. */
  readonly paidEnergy: bigint;
  /** Energy of quota whose price is not known. */
  readonly quotaEnergy: bigint;
  /** What was paid for the rest of the quota that was used. */
  readonly soldSun: bigint;
}

/**
 * Quota was sold before, in no entry of these orders: with a price its energy counts at that; else at the price that balances paid for theirs,
 * or at the list price.
 */
export function broughtSun(
  { chargedSun, paidEnergy, quotaEnergy, soldSun }: ChargedEnergy,
  listPriceSun: bigint,
): bigint {
  const quotaSun =
    paidEnergy > 0n && chargedSun > 0n
      ? (quotaEnergy * chargedSun) / paidEnergy
      : (quotaEnergy * listPriceSun) / ENERGY_PER_TRANSACTION;
  return chargedSun + soldSun + quotaSun;
}
