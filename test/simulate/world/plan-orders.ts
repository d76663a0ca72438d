import type { SeededRandom } from '../kernel/seeded-random';
import { type Action, type PlannedOrder, TROUBLE_MS } from './plan';

export interface OrderChoices {
  readonly users: number;
  readonly receivers: readonly boolean[];
  readonly instances: number;
}

const FROM_MS = 4_000;
const UNTIL_MS = TROUBLE_MS - 10_000;
export const AFTERWARDS_MS = TROUBLE_MS + 60_000;

export function planOrders(random: SeededRandom, choices: OrderChoices): Action[] {
  const count = 12 + random.below(28);
  const orders = Array.from({ length: count }, (_, at) =>
    orderAt(Math.floor(random.between(FROM_MS, UNTIL_MS)), planOrder(random, choices, at)),
  );
  const bursts = random.chance(0.4) ? 0 : 1 + random.below(2);
  return [...orders, ...Array.from({ length: bursts }, (_, at) => planBurst(random, choices, at)).flat()];
}

/** A minute after the last trouble, except blocks that cannot be read: one order of each user. */
export function planAfterwards({ users, receivers, instances }: OrderChoices): Action[] {
  return Array.from({ length: users }, (_, user) => {
    const receiver = user % receivers.length;
    return orderAt(AFTERWARDS_MS + user * 700, {
      user,
      receiver,
      amount: 1,
      activate: !receivers[receiver],
      key: `afterwards ${user}`,
      instance: user % instances,
      requests: 1,
      isAfterwards: true,
    });
  });
}

function orderAt(atMs: number, order: PlannedOrder): Action {
  return { atMs, kind: 'order', order };
}

/** A different one of each instance's at nearly the same moment: what they share is an account, a wallet's stake, a block, the moment it is due. */
function planBurst(random: SeededRandom, choices: OrderChoices, number: number): Action[] {
  const startMs = random.between(FROM_MS, UNTIL_MS);
  const [user, receiver] = [random.below(choices.users), random.below(choices.receivers.length)];
  return Array.from({ length: 3 + random.below(6) }, (_, at) =>
    orderAt(Math.floor(startMs + random.between(0, 30)), {
      ...planOrder(random, choices, at),
      user,
      ...(random.chance(0.7) && { receiver, activate: !choices.receivers[receiver] }),
      key: random.chance(0.5) ? `burst ${number} ${at}` : null,
      instance: at % choices.instances,
      requests: 1,
    }),
  );
}

export function planOrder(
  random: SeededRandom,
  { users, receivers, instances }: OrderChoices,
  at: number,
): PlannedOrder {
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
