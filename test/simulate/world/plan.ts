import { SeededRandom } from '../kernel/seeded-random';

export type Action = { readonly atMs: number } & (
  | { readonly kind: 'order'; readonly order: PlannedOrder }
  | { readonly kind: 'kill'; readonly instance: number; readonly trap: Trap }
  | { readonly kind: 'stop'; readonly instance: number; readonly forMs: number; readonly trap: Trap }
  | { readonly kind: 'cut'; readonly instance: number; readonly trap: Trap }
  | { readonly kind: 'database-away'; readonly forMs: number }
  | {
      readonly kind: 'node-fault';
      readonly node: number;
      readonly route: string;
      readonly fault: string;
      readonly count: number;
    }
  | { readonly kind: 'node-away'; readonly node: number; readonly forMs: number; readonly how: 'refused' | 'lost' }
  | { readonly kind: 'node-behind'; readonly node: number; readonly forMs: number; readonly what: 'head' | 'solid' }
  | { readonly kind: 'fork'; readonly depth: number; readonly keep: boolean }
  | { readonly kind: 'weight'; readonly percent: number }
  | {
      readonly kind: 'stranger';
      readonly does: 'delegate' | 'undelegate';
      readonly receiver: number;
      readonly part: number;
    }
);

export type CommitKind = 'commit' | 'order' | 'answer' | 'settle' | 'reclaim';

/** Where an instance ends or a line is cut: at the n-th statement, call or commit from then on that is of this kind. */
export interface Trap {
  readonly at: 'now' | 'statement' | 'broadcast' | 'call' | 'webhook' | CommitKind;
  readonly point: 'before' | 'after';
  readonly skip: number;
}

export interface PlannedOrder {
  readonly user: number;
  readonly receiver: number;
  readonly amount: number;
  readonly activate: boolean;
  readonly key: string | null;
  readonly instance: number;
  /** So many equal requests with one key, to one instance after the other. */
  readonly requests: number;
}

export interface PlannedUser {
  readonly balanceTrx: number;
  readonly quotaTransactions: number;
  readonly dailyLimitTrx: number | null;
  readonly hasWebhook: boolean;
}

/** Everything that a seed decides beforehand. Data, so that a history can be made shorter. */
export interface Plan {
  readonly seed: number;
  readonly settings: Readonly<Record<string, string>>;
  /** How far each instance's clock is off. */
  readonly clocksOffMs: readonly number[];
  /** How many orders' stake each wallet has. */
  readonly walletOrders: readonly number[];
  readonly nodes: number;
  /** One more address that is answered by any of the nodes. */
  readonly gateway: boolean;
  readonly users: readonly PlannedUser[];
  /** Which exist on the chain from the beginning. */
  readonly receivers: readonly boolean[];
  readonly actions: readonly Action[];
}

/** From when on nothing goes wrong any more. */
export const TROUBLE_MS = 120_000;
const TEN_MINUTES_MS = 600_000;
const NODE_FAULTS = [
  'accept-then-drop',
  'p2p-failed',
  'timeout',
  'pool-then-timeout',
  'reset',
  'pool-then-reset',
  'cut',
  'pool-then-cut',
  'html',
  'pool-then-html',
  '500',
  'pool-then-500',
  '503',
  '429',
  '403',
  'dup',
  'pool-then-dup',
  'SIGERROR',
  'CONTRACT_VALIDATE_ERROR',
  'CONTRACT_EXE_ERROR',
  'BANDWITH_ERROR',
  'DUP_TRANSACTION_ERROR',
  'TAPOS_ERROR',
  'TOO_BIG_TRANSACTION_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
  'SERVER_BUSY',
  'pool-then-SERVER_BUSY',
  'NO_CONNECTION',
  'NOT_ENOUGH_EFFECTIVE_CONNECTION',
  'BLOCK_UNSOLIDIFIED',
  'OTHER_ERROR',
  'pool-then-OTHER_ERROR',
] as const;
const READ_FAULTS = ['timeout', 'reset', 'cut', 'html', '500', '503', '429', 'rate-limited', 'lag'] as const;
const READ_ROUTES = [
  'wallet/getblock',
  'wallet/getblockbynum',
  'wallet/getnowblock',
  'wallet/getblockbylimitnext',
  'wallet/getaccount',
  'wallet/getaccountresource',
  'walletsolidity/getblock',
  'walletsolidity/getnowblock',
  'walletsolidity/getaccount',
  'wallet/getcandelegatedmaxsize',
  'walletsolidity/getcandelegatedmaxsize',
  'walletsolidity/getdelegatedresourcev2',
  'walletsolidity/gettransactioninfobyid',
] as const;

export function makePlan(seed: number): Plan {
  const random = new SeededRandom(`plan ${seed}`);
  const instances = 1 + random.below(3);
  const nodes = 1 + random.below(2);
  const calm = random.chance(0.08);
  const users = Array.from({ length: 2 + random.below(3) }, () => planUser(random));
  // Somebody else uses the wallet; with few receivers, so that what is taken is missed by several orders.
  const isShared = random.chance(0.25);
  const receivers = Array.from(
    { length: isShared ? 1 + random.below(2) : 2 + random.below(5) },
    () => isShared || random.chance(0.85),
  );
  const orders = 15 + random.below(35);
  const actions: Action[] = Array.from({ length: orders }, (_, at) => ({
    atMs: Math.floor(random.between(4_000, TROUBLE_MS - 10_000)),
    kind: 'order',
    order: planOrder(random, { users: users.length, receivers, instances, at }),
  }));
  if (!calm) actions.push(...planTrouble(random, instances, nodes));
  if (isShared) actions.push(...planStranger(random, receivers.length));
  return {
    seed,
    settings: {
      RECLAIM_DELAY: random.pick(['40s', '60s', '90s']),
      RECLAIM_SWEEP: '3s',
      DELEGATION_ANSWER: random.pick(['included', 'accepted']),
      BILLING_VARIANT: random.pick(['A', 'B']),
      ANSWER_TIMEOUT: random.pick(['5s', '10s']),
      RECONCILE_EVERY: '60s',
    },
    clocksOffMs: Array.from({ length: instances }, () =>
      random.chance(0.3) ? random.pick([-1, 1]) * TEN_MINUTES_MS : Math.floor(random.between(-200, 200)),
    ),
    walletOrders: Array.from({ length: 1 + random.below(2) }, () => 6 + random.below(50)),
    nodes,
    gateway: nodes > 1 && random.chance(0.5),
    users,
    receivers,
    actions: actions.toSorted((a, b) => a.atMs - b.atMs),
  };
}

function planUser(random: SeededRandom): PlannedUser {
  return {
    balanceTrx: 10 + random.below(150),
    quotaTransactions: random.chance(0.5) ? 1 + random.below(20) : 0,
    dailyLimitTrx: random.chance(0.4) ? 6 + random.below(60) : null,
    hasWebhook: random.chance(0.6),
  };
}

interface OrderChoices {
  readonly users: number;
  readonly receivers: readonly boolean[];
  readonly instances: number;
  readonly at: number;
}

function planOrder(random: SeededRandom, { users, receivers, instances, at }: OrderChoices): PlannedOrder {
  const receiver = random.below(receivers.length);
  const isKeyed = random.chance(0.7);
  return {
    user: random.below(users),
    receiver,
    amount: random.pick([1, 1, 1, 1, 2, 3, 1.5]),
    activate: !receivers[receiver] || random.chance(0.05),
    key: isKeyed ? `key ${random.chance(0.15) ? random.below(at + 1) : at}` : null,
    instance: random.below(instances),
    requests: isKeyed && random.chance(0.45) ? 2 + random.below(3) : 1,
  };
}

/** Of each kind none, few or many, so that a history is not always a bit of everything. */
function planTrouble(random: SeededRandom, instances: number, nodes: number): Action[] {
  const actions: Action[] = [];
  const some = (most: number, make: (atMs: number) => Action) => {
    const count = random.chance(0.45) ? 0 : random.below(most + 1);
    for (let i = 0; i < count; i++) actions.push(make(Math.floor(random.between(3_000, TROUBLE_MS))));
  };
  some(6, (atMs) => ({ atMs, kind: 'kill', instance: random.below(instances), trap: planTrap(random) }));
  some(3, (atMs) => ({
    atMs,
    kind: 'stop',
    instance: random.below(instances),
    // Past a claim's end or not; best between an order's commit and its sending.
    forMs: Math.floor(random.chance(0.5) ? random.between(25_000, 45_000) : random.between(500, 25_000)),
    trap: { ...planTrap(random), ...(random.chance(0.5) && { at: 'order', point: 'after' }) },
  }));
  some(10, (atMs) => ({ atMs, kind: 'cut', instance: random.below(instances), trap: planTrap(random) }));
  some(1, (atMs) => ({ atMs, kind: 'database-away', forMs: Math.floor(random.between(200, 40_000)) }));
  some(14, (atMs) => ({
    atMs,
    kind: 'node-fault',
    node: random.below(nodes),
    route: 'wallet/broadcasttransaction',
    fault: random.pick(NODE_FAULTS),
    count: 1 + random.below(3),
  }));
  some(10, (atMs) => ({
    atMs,
    kind: 'node-fault',
    node: random.below(nodes),
    route: random.pick(READ_ROUTES),
    fault: random.pick(READ_FAULTS),
    count: 1 + random.below(4),
  }));
  some(2, (atMs) => ({
    atMs,
    kind: 'node-away',
    node: random.below(nodes),
    forMs: Math.floor(random.between(1_000, 60_000)),
    how: random.pick(['refused', 'lost']),
  }));
  some(2, (atMs) => ({
    atMs,
    kind: 'node-behind',
    node: random.below(nodes),
    forMs: Math.floor(random.between(5_000, 60_000)),
    what: random.pick(['head', 'solid']),
  }));
  some(4, (atMs) => ({ atMs, kind: 'fork', depth: 1 + random.below(3), keep: random.chance(0.5) }));
  some(2, (atMs) => ({ atMs, kind: 'weight', percent: random.between(98, 104) }));
  return actions;
}

function planStranger(random: SeededRandom, receivers: number): Action[] {
  return Array.from({ length: 1 + random.below(5) }, () => ({
    atMs: Math.floor(random.between(20_000, TROUBLE_MS)),
    kind: 'stranger',
    does: random.pick(['delegate', 'undelegate', 'undelegate', 'undelegate']),
    receiver: random.below(receivers),
    part: random.between(0.2, 2),
  }));
}

const TRAPS = [
  'now',
  'statement',
  'commit',
  'order',
  'order',
  'answer',
  'settle',
  'reclaim',
  'broadcast',
  'broadcast',
  'call',
  'webhook',
] as const;

function planTrap(random: SeededRandom): Trap {
  return {
    at: random.pick(TRAPS),
    point: random.pick(['before', 'after']),
    skip: random.below(5),
  };
}
