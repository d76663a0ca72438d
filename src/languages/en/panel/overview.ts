import type { ComponentChildren } from 'preact';
import type { WalletCause } from '../../../common/wallet-causes';
import { plural } from '../../../common/plural';
import { filled } from '../../filled';

export const overview = {
  title: 'Overview',
  lastHour: 'Last hour',
  perMinute: 'Orders a minute',
  perMinuteNote: (orders: number) => plural(orders, 'order in the last hour', 'orders in the last hour'),
  success: 'Success rate',
  noOrders: 'no orders',
  successNote: (succeeded: number, failed: number) =>
    `${plural(succeeded, 'success', 'successes')}, ${plural(failed, 'failure', 'failures')}`,
  seconds: (seconds: string) => `${seconds} s`,
  inclusion: 'Time to inclusion',
  inclusionNote: (slow: string) => `95 % within ${slow} s`,
  noneSettled: 'no order settled yet',
  now: 'Now',
  lent: 'Energy delegated',
  lentNote: 'by orders that are in a block',
  out: 'Delegated now',
  outNote: (orders: number, stake: string) => `${plural(orders, 'order', 'orders')}, ${stake} TRX of stake`,
  heldNote: (holds: number, quota: string) =>
    `${plural(holds, 'hold', 'holds')}, and quota for ${plural(quota, 'transaction', 'transactions')}`,
  chart: (orders: number) => `Orders in each of the last 60 minutes, ${orders} in total`,
  attention: 'Needs attention',
  urgent: 'Urgent',
  nothing: 'All good: orders are being accepted and nothing needs your attention.',
  failures: (failed: number, answered: number) =>
    `${failed} of ${plural(answered, 'order', 'orders')} in the last hour ${failed === 1 ? 'was' : 'were'} answered with a failure`,
  since: (at: ComponentChildren) => filled`since ${at}`,
  waitingDeposits: (count: number) =>
    count === 1 ? '1 deposit is waiting for you' : `${count} deposits are waiting for you`,
  stolenKey: (count: number) => `${plural(count, 'finding', 'findings')} may mean that a wallet’s key is stolen`,
  nodeBehind: (host: string, blocks: number, left: number, all: number) =>
    `The node ${host} is ${plural(blocks, 'block', 'blocks')} behind and is not used. ${nodesLeft(left, all)}`,
  nodeFails: (host: string, left: number, all: number) =>
    `The node ${host} fails and is not used for now. ${nodesLeft(left, all)}`,
  causes: {
    despite: (count: number) => `${plural(count, 'wallet takes', 'wallets take')} orders despite an open finding`,
    quarantined: (count: number) =>
      `${plural(count, 'wallet is', 'wallets are')} paused automatically because of an open finding`,
    key: (count: number) => `${plural(count, 'active wallet has', 'active wallets have')} no usable key`,
    unread: (count: number) => `${plural(count, 'active wallet', 'active wallets')} cannot be read from the chain`,
    rests: (count: number) =>
      `${plural(count, 'active wallet rests', 'active wallets rest')} because the network refused transactions`,
    stake: (count: number) => `${plural(count, 'active wallet is', 'active wallets are')} out of energy`,
    fees: (count: number) =>
      `${plural(count, 'active wallet is', 'active wallets are')} out of bandwidth and TRX for another order`,
    paused: (count: number) => plural(count, 'wallet is paused', 'wallets are paused'),
    draining: (count: number) => plural(count, 'wallet is draining', 'wallets are draining'),
  } satisfies Record<WalletCause, (count: number) => string>,
  overdue: (count: number) => `${plural(count, 'reclaim is', 'reclaims are')} overdue by more than 15 minutes`,
  failing: (count: number) => `${plural(count, 'order has', 'orders have')} a failed reclaim that is being retried`,
  undecided: (count: number) =>
    `${plural(count, 'expired transaction is', 'expired transactions are')} not settled yet`,
  abandoned: (count: number) => `${plural(count, 'order has', 'orders have')} been open for more than 10 minutes`,
  findings: (count: number) => plural(count, 'finding is open', 'findings are open'),
  orders: 'Orders',
};

function nodesLeft(left: number, all: number): string {
  return left === 0 ? 'No other node works.' : `The service runs on ${left} of ${plural(all, 'node', 'nodes')}.`;
}
