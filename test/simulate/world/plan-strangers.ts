import type { SeededRandom } from '../kernel/seeded-random';
import { type Action, TROUBLE_MS } from './plan';
import type { OrderChoices } from './plan-orders';

export function planStranger(random: SeededRandom, receivers: number): Action[] {
  return Array.from({ length: 1 + random.below(5) }, () => ({
    atMs: Math.floor(random.between(20_000, TROUBLE_MS)),
    kind: 'stranger',
    does: random.pick(['delegate', 'undelegate', 'undelegate', 'leave', 'leave']),
    receiver: random.below(receivers),
    part: random.between(0.2, 2),
  }));
}

/**
 * Orders of one moment share wallet, receiver and the moment they are due; somebody else takes back a part of what they have lent. Instances
 * look at the same time how much of it is still theirs.
 */
export function planShort(random: SeededRandom, choices: OrderChoices): Action[] {
  const atMs = Math.floor(random.between(5_000, 20_000));
  const [user, receiver] = [random.below(choices.users), random.below(choices.receivers.length)];
  const count = 2 * choices.instances;
  const orders = Array.from({ length: count }, (_, at): Action => {
    const asked = {
      user,
      receiver,
      amount: 1,
      activate: !choices.receivers[receiver],
      key: `short ${at}`,
      requests: 1,
    };
    return { atMs: atMs + at, kind: 'order', order: { ...asked, instance: at % choices.instances } };
  });
  const part = random.between(0.3, count - 0.3);
  return [...orders, { atMs: atMs + 20_000, kind: 'stranger', does: 'leave', receiver, part }];
}
