import type { End, OrderRow } from './checker';
import type { PlannedOrder } from './plan';

const RENTAL_MINUTES = 10;

/** Each order is what somebody has asked for, each answer is of the order that was asked for, and each request has its own. */
export function checkTold({ plan, setting, told }: End, orders: readonly OrderRow[]): string[] {
  const bodyOf = ({ user, receiver, amount, activate, key }: PlannedOrder) =>
    nameOf([setting.users[user]!.id, setting.receivers[receiver]!, amount, activate, RENTAL_MINUTES, key]);
  const bodyIn = (row: OrderRow) =>
    nameOf([row.user_id, row.receiver, Number(row.transactions), row.activate, row.rental_minutes, row.key]);
  const planned = plan.actions.flatMap((action) => (action.kind === 'order' ? [action.order] : []));
  const asked = tally(planned.map(bodyOf));
  const found: string[] = [];

  for (const row of orders) if (!asked.has(bodyIn(row))) found.push(`order ${row.id} is what nobody has asked for`);
  const ofKey = tally(orders.filter(({ key }) => key !== null).map((row) => nameOf([row.user_id, row.key])));
  for (const [name, times] of ofKey) if (times > 1) found.push(`${times} orders have the key ${name}`);
  // Without a key no caller asks twice.
  for (const [body, times] of tally(orders.filter(({ key }) => key === null).map(bodyIn)))
    if (times > (asked.get(body) ?? 0)) found.push(`${times} orders were made of ${asked.get(body) ?? 0} for ${body}`);

  const rows = new Map(orders.map((row) => [row.id, row]));
  for (const { id, order } of told) {
    const row = rows.get(id);
    if (!row) found.push(`order ${id} was told and does not exist`);
    else if (bodyIn(row) !== bodyOf(order))
      found.push(`order ${id} was told to who asked for ${bodyOf(order)}, and is ${bodyIn(row)}`);
  }
  for (const [id, times] of tally(told.filter(({ order }) => order.key === null).map((one) => one.id)))
    if (times > 1) found.push(`order ${id} was told to ${times} requests, and has no key`);
  return found;
}

/** A key of another request is refused only where there was one. */
export function checkReused({ plan, refused }: End): string[] {
  const bodies = new Map<string, Set<string>>();
  for (const action of plan.actions) {
    if (action.kind !== 'order' || action.order.key === null) continue;
    const { user, key, receiver, amount, activate } = action.order;
    const name = nameOf([user, key]);
    bodies.set(name, (bodies.get(name) ?? new Set()).add(nameOf([receiver, amount, activate])));
  }
  return refused
    .filter(
      ({ code, order }) => code === 'IDEMPOTENCY_KEY_REUSED' && bodies.get(nameOf([order.user, order.key]))!.size < 2,
    )
    .map(({ order }) => `the key ${order.key} of user ${order.user} was refused as reused, and is of one body alone`);
}

function nameOf(parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
