import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * In this order calls to one node begin when not all can (call-queue.ts). `orders`: the receiver and the broadcast, which somebody waits for;
 * `blocks`: what became of transactions; `wallets`: what they have left; `resends`: bytes that are sent again, and reclaims;
 * `audit`: the comparison of chain and database; `quotes`: what people look at.
 */
export const CALL_PRIORITIES = ['orders', 'blocks', 'wallets', 'resends', 'audit', 'quotes'] as const;
export type CallPriority = (typeof CALL_PRIORITIES)[number];

const running = new AsyncLocalStorage<CallPriority>();

/** The calls that `work` makes, however deep, have this priority. */
export function withCallPriority<T>(priority: CallPriority, work: () => T): T {
  return running.run(priority, work);
}

/** Work that has not said otherwise reads blocks, or belongs to an order. */
export function callPriority(route: string): CallPriority {
  return running.getStore() ?? (route.startsWith('getblock') ? 'blocks' : 'orders');
}

const LONGEST_WAIT_MS: Readonly<Record<CallPriority, number>> = {
  orders: 10_000,
  blocks: 10_000,
  wallets: 60_000,
  resends: 10_000,
  // No caller waits for a comparison: it takes as long as it takes.
  audit: 600_000,
  quotes: 10_000,
};

/** How long a call waits for its turn at most. */
export function longestWaitMs(priority: CallPriority): number {
  return LONGEST_WAIT_MS[priority];
}

/** A node that refuses for the number of calls is asked again after its pause, for no longer than a call would wait for its turn. */
export function patience(route: string, longestMs = longestWaitMs(callPriority(route))): { mayWait(): boolean } {
  const endMs = performance.now() + longestMs;
  return { mayWait: () => performance.now() < endMs };
}
