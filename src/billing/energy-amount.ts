import BigNumber from 'bignumber.js';
import { roundDownToThousandths, roundUpToSixPlaces, roundUpToThousandths, roundUpToWhole } from './rounding';

export const ENERGY_PER_TRANSACTION = 65_000n;

const MOST_DIGITS = 40;

/**
 * An order's transactions as they are kept: a caller may send thousands of digits, and each of its events and rows would carry them. Rounded
 * up, as energy and fee are.
 */
export function keptTransactions(exact: BigNumber): BigNumber {
  return exact.precision(MOST_DIGITS, BigNumber.ROUND_UP);
}

/** Whole energy units for an order. Null: more than any balance or quota covers. */
export function energyOf(transactions: BigNumber): bigint | null {
  return roundUpToWhole(exactEnergyOf(transactions));
}

/** Null when so many transactions are no whole number of energy units. */
export function wholeEnergyOf(transactions: BigNumber): bigint | null {
  return exactEnergyOf(transactions).isInteger() ? roundUpToWhole(exactEnergyOf(transactions)) : null;
}

/** The smallest order with at least so much energy: thousandths of a transaction, and one at least; none for none. */
export function smallestOrder(energyUnits: bigint): BigNumber {
  if (energyUnits === 0n) return new BigNumber(0);
  return BigNumber.maximum(1, roundUpToThousandths(transactionsOf(energyUnits)));
}

/** The largest order with at most so much energy, in thousandths of a transaction; 0 when that is less than a whole one. */
export function largestOrder(energyUnits: bigint): BigNumber {
  const transactions = roundDownToThousandths(transactionsOf(energyUnits));
  return transactions.lt(1) ? new BigNumber(0) : transactions;
}

/** Energy in transactions, for people: a thirteenth has no end, so six places. */
export function transactionsLiteral(energyUnits: bigint): string {
  return roundUpToSixPlaces(transactionsOf(energyUnits));
}

/** At 20 places (BigNumber's own): rounding that to few is as rounding the quotient, whose energy is a whole number. */
function transactionsOf(energyUnits: bigint): BigNumber {
  return new BigNumber(energyUnits.toString()).dividedBy(Number(ENERGY_PER_TRANSACTION));
}

export function exactEnergyOf(transactions: BigNumber): BigNumber {
  return transactions.multipliedBy(Number(ENERGY_PER_TRANSACTION));
}
