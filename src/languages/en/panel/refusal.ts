import type { ComponentChildren } from 'preact';
import { plural } from '../../../common/plural';
import { filled } from '../../filled';

export const refusal = {
  title: 'Refused attempts',
  text: 'Calls for an order that were refused before they became one. None of them cost anything. The newest 200 are kept; equal calls within a moment are one row.',
  all: 'All failures explained',
  allTitle: 'Failures explained',
  allText:
    'What the API answers when it does not deliver, as in X-Error-Code. Whatever it is, you are charged for energy that is delivered, and for nothing else.',
  toOrders: 'Orders',
  empty: 'Nothing was refused.',
  emptyRange: 'Details are kept of the newest 200 only, and none of these is of this range.',
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
