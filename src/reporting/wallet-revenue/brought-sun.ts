import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';

export interface ChargedEnergy {
  /** What balances paid. */
  readonly chargedSun: bigint;
  /** Energy that balances paid for. */
  readonly paidEnergy: bigint;
  readonly quotaEnergy: bigint;
}

/** Quota was sold before, in no entry of the ledger: its energy counts at the price that balances paid for theirs, else at the list price. */
export function broughtSun({ chargedSun, paidEnergy, quotaEnergy }: ChargedEnergy, listPriceSun: bigint): bigint {
  const quotaSun =
    paidEnergy > 0n && chargedSun > 0n
      ? (quotaEnergy * chargedSun) / paidEnergy
      : (quotaEnergy * listPriceSun) / ENERGY_PER_TRANSACTION;
  return chargedSun + quotaSun;
}
