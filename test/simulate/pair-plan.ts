import { makePlan } from './world/make-plan';
import type { Action, Plan } from './world/plan';

export interface PairPlan {
  readonly wallets: number;
  /** A history ends once nothing is lent any more, after 17 minutes at the latest. */
  readonly reclaimDelay: string;
  readonly actions: readonly Action[];
}

/** One instance and two nodes, neither of which does anything but what the actions say. */
export function pairPlan({ wallets, reclaimDelay, actions }: PairPlan): Plan {
  return {
    ...makePlan(1),
    settings: { RECLAIM_DELAY: reclaimDelay, BILLING_VARIANT: 'A' },
    clocksOffMs: [0],
    walletOrders: Array<number>(wallets).fill(100),
    nodes: 2,
    isPrompt: true,
    gateway: false,
    users: [{ balanceTrx: 10_000, quotaTransactions: 0, dailyLimitTrx: null, hasWebhook: false }],
    receivers: Array<boolean>(50).fill(true),
    actions,
  };
}

export const FIRST_ORDER_MS = 10_000;
export const ORDER_EVERY_MS = 1_500;

/** The one of this number; another one follows every 1.5 s. */
export function pairOrder(at: number): Action {
  const asked = { user: 0, receiver: at % 50, amount: 1, activate: false, key: null, instance: 0, requests: 1 };
  return { atMs: FIRST_ORDER_MS + at * ORDER_EVERY_MS, kind: 'order', order: asked };
}
