import { plural } from '../../../common/plural';

export const energy = {
  title: 'Energy',
  unknown: 'The energy of the wallets is not known yet: no wallet could be read from the chain.',
  available: (amount: string, transactions: string) =>
    `Available now: ${amount} energy = ${plural(transactions, 'transaction', 'transactions')}`,
  availableAndIdle: (amount: string, transactions: string, idle: string) =>
    `Available now: ${amount} energy = ${plural(transactions, 'transaction', 'transactions')}. Idle: ${idle} energy of wallets that take no orders`,
  availableNow: 'Available now',
  transactions: (count: string) => plural(count, 'transaction', 'transactions'),
  lent: 'Delegated',
  lentNote: 'with receivers now',
  nextHour: 'Returns within the hour',
  nextHourNote: 'if receivers use none of it',
  lasts: 'Lasts',
  lastsNote: (amount: string) => `at the last hour’s rate, ${amount} an hour`,
  empty: 'nothing is left',
  longer: '> 24 h',
  hoursAndMinutes: (hours: number, minutes: number) => (hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`),
  forecast: 'Available in the next 24 hours',
  forecastNote: 'The range assumes no new orders. Lower line: receivers use everything. Upper line: they use nothing.',
  curve: (now: string, least: string, most: string) =>
    `Energy available over the next 24 hours: ${now} now, ${least} to ${most} then`,
  inHours: (hours: number) => (hours === 0 ? 'now' : `+${hours} h`),
  at: 'At',
  least: 'At least',
  most: 'At most',
  leastTransactions: 'Transactions, at least',
  returned: 'Returned since the row above',
};
