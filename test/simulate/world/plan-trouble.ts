import type { SeededRandom } from '../kernel/seeded-random';
import { NODE_LIES, type NodeLie } from '../network/node-lies';
import { WAYS_TO_BE_LARGE } from '../network/too-large-answers';
import { WAYS_TO_FAIL } from '../network/unreadable-blocks';
import { FALSE_BLOCKS } from './plan-deposits';
import { type Action, DATABASE_CLOCK_OFF_MS, type Trap, TROUBLE_MS, UNREADABLE_MS } from './plan';
import { type OrderChoices, planOrder } from './plan-orders';

/** Each may come instead of the sending, or behind it. */
const BROADCAST_FAULTS = [
  'timeout',
  'reset',
  'cut',
  'html',
  'html-403',
  'html-429',
  '500',
  '503',
  '429',
  '403',
  'rate-limited',
  'dup',
  'SIGERROR',
  'CONTRACT_VALIDATE_ERROR',
  'CONTRACT_EXE_ERROR',
  'BANDWITH_ERROR',
  'DUP_TRANSACTION_ERROR',
  'TAPOS_ERROR',
  'TOO_BIG_TRANSACTION_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
  'SERVER_BUSY',
  'NO_CONNECTION',
  'NOT_ENOUGH_EFFECTIVE_CONNECTION',
  'BLOCK_UNSOLIDIFIED',
  'OTHER_ERROR',
] as const;
export const NODE_FAULTS = [
  'accept-then-drop',
  'p2p-failed',
  ...BROADCAST_FAULTS.flatMap((kind) => [kind, `pool-then-${kind}` as const]),
] as const;
export const READ_FAULTS = [
  'timeout',
  'reset',
  'cut',
  'html',
  'html-403',
  'html-429',
  '500',
  '503',
  '429',
  'rate-limited',
  'lag',
] as const;
/** Under a block's true id, what its id does not follow from: see local-chain/README.md. */
export const LIES = ['unknown-field', 'missing-number'] as const;
/** All that orders, reclaims and what is behind them ask a node. */
export const READ_ROUTES = [
  'wallet/getblock',
  'wallet/getblockbynum',
  'wallet/getblockbylimitnext',
  'wallet/getaccount',
  'wallet/getaccountresource',
  'wallet/listwitnesses',
  'walletsolidity/getblock',
  'walletsolidity/getblockbynum',
  'walletsolidity/getaccount',
  'walletsolidity/getcandelegatedmaxsize',
  'walletsolidity/getdelegatedresourceaccountindexv2',
  'walletsolidity/getdelegatedresourcev2',
] as const;
/** Each has a bound for its answers (src/chain/node/answer-bounds.ts). */
export const ANSWERED_ROUTES = [...READ_ROUTES, 'wallet/broadcasttransaction'] as const;

/** SQLSTATE: a disk or a memory that is full, a deadlock, a statement that took too long, a server without writes, a fault of its own. */
export const REFUSALS = ['53100', '53200', '40P01', '57014', '25006', 'XX000'] as const;
/** Where a line can be cut or go silent: a node or a receiver of webhooks has faults of its own. */
export const DATABASE_TRAPS = ['statement', 'commit', 'order', 'answer', 'settle', 'reclaim'] as const;

/** None, few or many of each kind, so that a history is not always a bit of everything. */
export function planTrouble(random: SeededRandom, instances: number, nodes: number): Action[] {
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

/** A database that is there and does not do its work: it refuses, stays silent, takes no connection, or has a wrong clock. */
export function planDatabase(random: SeededRandom, instances: number): Action[] {
  const some = (most: number, make: (atMs: number) => Action) =>
    Array.from({ length: random.below(most + 1) }, () => make(Math.floor(random.between(3_000, TROUBLE_MS))));
  const trap = (point: Trap['point']): Trap => ({ at: random.pick(DATABASE_TRAPS), point, skip: random.below(5) });
  const instance = () => random.below(instances);
  return [
    ...some(8, (atMs) => ({
      atMs,
      kind: 'refusal',
      instance: instance(),
      code: random.pick(REFUSALS),
      trap: trap('before'),
    })),
    ...some(6, (atMs) => ({
      atMs,
      kind: random.pick(['silence', 'half-open']),
      instance: instance(),
      trap: trap(random.pick(['before', 'after'])),
    })),
    ...some(1, (atMs) => ({
      atMs,
      kind: random.pick(['database-full', 'database-silent']),
      forMs: Math.floor(random.between(5_000, 40_000)),
    })),
    ...some(1, (atMs) => ({
      atMs,
      kind: 'database-clock',
      offMs: random.pick([-1, 1]) * Math.floor(random.between(5_000, DATABASE_CLOCK_OFF_MS)),
      forMs: Math.floor(random.between(2_000, 40_000)),
    })),
  ];
}

/** An instance is stopped past its claim between an order's commit and its sending, while others are asked for the same order. */
export function planStalled(random: SeededRandom, choices: OrderChoices): Action[] {
  return Array.from({ length: 1 + random.below(2) }, (_, number): Action[] => {
    const atMs = Math.floor(random.between(4_000, TROUBLE_MS - 60_000));
    const order = { ...planOrder(random, choices, number), key: `stalled ${number}`, requests: 2, apartMs: 2_000 };
    const trap: Trap = { at: 'order', point: 'after', skip: 0 };
    const forMs = Math.floor(random.between(20_000, 45_000));
    return [
      { atMs, kind: 'stop', instance: order.instance, forMs, trap },
      { atMs: atMs + 1, kind: 'order', order },
    ];
  }).flat();
}

/**
 * An instance is stopped past its claim where a node has taken its delegation and then drops it; another one is asked for the same order
 * and decides it meanwhile. The late word of the first must count for nothing.
 */
export function planLate(random: SeededRandom, choices: OrderChoices, nodes: number): Action[] {
  const atMs = Math.floor(random.between(4_000, TROUBLE_MS - 65_000));
  const order = { ...planOrder(random, choices, 0), key: 'late', requests: 2, apartMs: 2_000 };
  const trap: Trap = { at: 'broadcast', point: 'after', skip: 0 };
  const route = 'wallet/broadcasttransaction';
  const drops = Array.from({ length: nodes }, (_, node): Action => {
    return { atMs, kind: 'node-fault', node, route, fault: 'accept-then-drop', count: 1 };
  });
  return [
    ...drops,
    { atMs, kind: 'stop', instance: order.instance, forMs: Math.floor(random.between(32_000, 55_000)), trap },
    { atMs: atMs + 1, kind: 'order', order },
  ];
}

/** An instance claims an order while the database's clock is ahead, and ends: no instance waits for what the claim says by then. */
export function planAhead(random: SeededRandom, choices: OrderChoices): Action[] {
  const atMs = Math.floor(random.between(4_000, TROUBLE_MS - 20_000));
  const planned = planOrder(random, choices, 0);
  // One that waits for its activation belongs to no instance until its claim ends.
  const inactive = choices.receivers.indexOf(false);
  const receiver = inactive === -1 ? planned.receiver : inactive;
  const order = { ...planned, receiver, activate: !choices.receivers[receiver], key: 'ahead', requests: 1 };
  const offMs = Math.floor(random.between(DATABASE_CLOCK_OFF_MS / 2, DATABASE_CLOCK_OFF_MS));
  return [
    { atMs, kind: 'database-clock', offMs, forMs: 10_000 },
    { atMs: atMs + 1, kind: 'kill', instance: order.instance, trap: { at: 'order', point: 'after', skip: 0 } },
    { atMs: atMs + 2, kind: 'order', order },
  ];
}

/** The last trouble: a fork drops what was just answered with a success. Only sending it again can make that true. */
export function planLost(random: SeededRandom, choices: OrderChoices): Action[] {
  const orders = Array.from({ length: 1 + random.below(3) }, (_, number): Action => {
    const order = { ...planOrder(random, choices, number), key: `lost ${number}`, requests: 1 };
    return { atMs: TROUBLE_MS - Math.floor(random.between(6_000, 9_000)), kind: 'order', order };
  });
  return [...orders, { atMs: TROUBLE_MS - 1_000, kind: 'fork', depth: 3, keep: false }];
}

/** Some for good: nothing else may wait for them. */
export function planUnreadable(random: SeededRandom): Action[] {
  return Array.from({ length: 1 + random.below(2) }, () => {
    const atMs = Math.floor(random.between(5_000, TROUBLE_MS - 20_000));
    const untilMs = random.chance(0.6) ? UNREADABLE_MS : Math.floor(random.between(atMs + 3_000, TROUBLE_MS));
    return { atMs, kind: 'unreadable-blocks', count: 1 + random.below(2), way: random.pick(WAYS_TO_FAIL), untilMs };
  });
}

/** A node's newest block proves no transactions, so that they are asked for by its height; then it lies. */
export function planLies(random: SeededRandom, nodes: number): Action[] {
  return Array.from({ length: 1 + random.below(4) }, (): Action[] => {
    const [atMs, node] = [Math.floor(random.between(3_000, TROUBLE_MS)), random.below(nodes)];
    const lie = (route: string, faults: readonly string[]): Action => {
      return { atMs, kind: 'node-fault', node, route, fault: random.pick(faults), count: 4 + random.below(12) };
    };
    return [
      lie('wallet/getblock', ['added-transactions', 'missing-transactions']),
      lie('wallet/getblockbynum', LIES),
      lie('wallet/getblockbylimitnext', LIES),
    ];
  }).flat();
}

/** One of two nodes lies about one thing, and does not stop when everything else works: what is refused then is refused by its word alone. */
export function planLiar(random: SeededRandom): Action[] {
  const lie = random.pick((Object.keys(NODE_LIES) as NodeLie[]).filter((one) => one !== FALSE_BLOCKS));
  // Mostly the first, which is asked first.
  const node = random.chance(0.75) ? 0 : 1;
  return [{ atMs: Math.floor(random.between(0, TROUBLE_MS / 2)), kind: 'node-lies', node, lie }];
}

/** One of two nodes is slow, not away, for as long as a history lasts. */
export function planSlow(random: SeededRandom): Action[] {
  const [node, byMs] = [random.chance(0.75) ? 0 : 1, Math.floor(random.between(800, 2_500))];
  return [{ atMs: Math.floor(random.between(0, TROUBLE_MS / 2)), kind: 'node-slow', node, byMs }];
}

/** Answers of one of two nodes to one question are larger than any may be, until each order is decided. */
export function planTooLarge(random: SeededRandom): Action[] {
  const [node, atMs] = [random.chance(0.75) ? 0 : 1, Math.floor(random.between(0, TROUBLE_MS / 2))];
  const route = random.pick(ANSWERED_ROUTES);
  return [{ atMs, kind: 'too-large-answers', node, route, way: random.pick(WAYS_TO_BE_LARGE) }];
}

/** Two of five make no blocks: nothing becomes final until they do. */
export function planSilent(random: SeededRandom): Action[] {
  const atMs = Math.floor(random.between(5_000, 30_000));
  const forMs = Math.floor(random.between(30_000, TROUBLE_MS - 5_000 - atMs));
  return [{ atMs, kind: 'silent-witnesses', count: 2, forMs }];
}

export const TRAPS = [
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
