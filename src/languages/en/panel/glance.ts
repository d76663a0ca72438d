import { plural } from '../../../common/plural';

/** The first page of operators, and the same as a mail. */
export const glance = {
  title: 'Today',
  good: 'All good',
  needsYou: (count: number) => plural(count, 'thing needs you', 'things need you'),
  energy: 'Energy',
  energyFor: (transactions: string) => `for ${plural(transactions, 'transaction', 'transactions')}`,
  lasts: (time: string) => `lasts ${time} at the last hour’s rate`,
  lastsLonger: 'lasts longer than 24 hours at the last hour’s rate',
  noneLeft: 'no energy is left to delegate',
  unknown: 'no wallet could be read from the chain yet',
  revenue: 'Revenue in the last 24 hours',
  lastWeek: (trx: string) => `${trx} TRX in the same 24 hours last week`,
  paidIn: 'Received in the last 24 hours',
  payments: (count: number) => plural(count, 'payment', 'payments'),
  owed: 'Owed to customers',
  owedTo: (count: number) => plural(count, 'balance', 'balances'),
  dry: 'Customers whose balance runs out within 3 days',
  noneDry: 'At the rate of the last 7 days, every customer’s balance lasts longer.',
  dryCustomer: (left: string, aDay: string) => `${left} TRX left, ${aDay} TRX a day`,
  quiet: 'Customers who went quiet',
  noneQuiet: 'Every customer who ordered regularly in the weeks before has ordered in the last 3 days.',
  lastOrder: (date: string) => `last order ${date}`,
  more: (count: number) => `and ${count} more`,
};
