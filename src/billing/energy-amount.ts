import BigNumber from 'bignumber.js';
import { roundUpToSixPlaces, roundUpToWhole } from './rounding';

export const ENERGY_PER_TRANSACTION = 65_000n;

/** Whole energy units for an order. Null: more than any balance or quota covers. */
export function energyOf(transactions: BigNumber): bigint | null {
  return roundUpToWhole(exactEnergyOf(transactions));
}

/** Null when so many transactions are no whole number of energy units. */
export function wholeEnergyOf(transactions: BigNumber): bigint | null {
  return exactEnergyOf(transactions).isInteger() ? roundUpToWhole(exactEnergyOf(transactions)) : null;
}

/** Energy in transactions, for people: a thirteenth has no end, so six places. */
export function transactionsLiteral(energyUnits: bigint): string {
  return roundUpToSixPlaces(new BigNumber(energyUnits.toString()).dividedBy(Number(ENERGY_PER_TRANSACTION)));
}

function exactEnergyOf(transactions: BigNumber): BigNumber {
  return transactions.multipliedBy(Number(ENERGY_PER_TRANSACTION));
}
