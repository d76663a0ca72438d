import { plural } from '../../../common/plural';

export const energy = {
  title: 'Energy',
  unknown: 'What the wallets’ stake is worth in energy is not known yet: no wallet could be read from the chain.',
  available: (amount: string, transactions: string) =>
    `Available now: ${amount} energy = ${plural(transactions, 'transaction', 'transactions')}`,
  availableAndIdle: (amount: string, transactions: string, idle: string) =>
    `Available now: ${amount} energy = ${plural(transactions, 'transaction', 'transactions')}. Idle: ${idle} energy that no order gets, for its wallets take none`,
  availableNow: 'Available now',
  transactions: (count: string) => plural(count, 'transaction', 'transactions'),
  lent: 'Lent',
  lentNote: 'with receivers now',
  nextHour: 'Back within the hour',
  nextHourNote: 'if none of it is used',
  lasts: 'Lasts',
  lastsNote: (amount: string) => `at the last hour’s rate, ${amount} an hour`,
  empty: 'nothing is left',
  longer: '> 24 h',
  hoursAndMinutes: (hours: number, minutes: number) => (hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`),
  forecast: 'Available in the next 24 hours',
  forecastNote: 'If nothing new is lent: at least, if receivers use all they have; at most, if they use none of it.',
  curve: (now: string, least: string, most: string) =>
    `Energy available over the next 24 hours: ${now} now, ${least} to ${most} then`,
  inHours: (hours: number) => (hours === 0 ? 'now' : `+${hours} h`),
  at: 'At',
  least: 'At least',
  most: 'At most',
  leastTransactions: 'Transactions, at least',
  returned: 'Due back since the line before',
};
