import type { ComponentChildren } from 'preact';
import { plural } from '../../../common/plural';
import { filled } from '../../filled';

export const refusal = {
  title: 'Refused attempts',
  text: 'Calls that were rejected before an order was created. You were not charged. The newest 200 are kept, and identical calls are grouped.',
  all: 'All failures explained',
  allTitle: 'Failures explained',
  allText:
    'Every code that the API can answer in X-Error-Code, what it means and what to do. You are charged only for energy that is delivered.',
  toOrders: 'Orders',
  empty: 'No attempt was refused.',
  emptyRange: 'Details are kept only for the newest 200 attempts, and none of them are in this range.',
  last: 'Time',
  timesSince: (times: string, at: ComponentChildren) => filled`${times} times, since ${at}`,
  todo: 'What to do',
  asked: 'Asked for',
  amountOf: (amount: string) => plural(amount, 'transaction', 'transactions'),
  to: (receiver: ComponentChildren) => filled`to ${receiver}`,
  fields: (names: string) => `Fields: ${names}`,
  request: (id: ComponentChildren) => filled`Request ${id}`,
  status: 'Status',
  code: 'Code',
  notCharged: 'You were not charged.',
  notChargedEver: 'You are not charged.',
  notChargedLate: 'You are not charged, even if the energy arrives after all.',
  recently: (count: string) =>
    `${plural(count, 'attempt was', 'attempts were')} refused in the last 7 days before becoming an order.`,
  see: 'See why',
};
