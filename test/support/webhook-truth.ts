import type { OrderWorld } from './order-world';
import type { Received, WebhookReceiver } from './webhook-receiver';

/** By what an order's history says of it. */
const EVENT_OF: Readonly<Record<string, string>> = {
  included: 'delegation.included',
  delegated: 'delegation.delegated',
  taking_back: 'delegation.failed',
  failed: 'delegation.failed',
  reclaimed: 'delegation.reclaimed',
  taken_back: 'delegation.reclaimed',
};
const LANDED = ['delegated', 'taking_back'];

/** Keeps of each delivery whether its row was committed when it arrived. Before any is sent to that path. */
export function watchCommits(world: OrderWorld, receiver: WebhookReceiver, path: string): Received[] {
  const tooEarly: Received[] = [];
  receiver.answer(path, (response, received) => {
    void world.query('select 1 from webhook_deliveries where id = $1', [received.id]).then((rows) => {
      if (rows.length === 0) tooEarly.push(received);
      response.writeHead(204).end();
    });
  });
  return tooEarly;
}

/** What the orders of these users should have been told, and what was received: each event at least once, under one id and one body. */
export async function expectEventsDelivered(
  world: OrderWorld,
  receiver: WebhookReceiver,
  path: string,
  userIds: readonly string[],
) {
  // One that waited for its activation fails with its answer, without a line of its own in its history.
  const history = await world.query(
    `select e.delegation_id as id, e.kind from delegation_events e join delegations d on d.id = e.delegation_id where d.user_id = any($1)
      union select id, state from delegations where user_id = any($1)`,
    [userIds],
  );
  const expected = new Set<string>();
  for (const { id, kind } of history as { id: string; kind: string }[]) {
    if (EVENT_OF[kind]) expected.add(`${id} ${EVENT_OF[kind]}`);
    if (LANDED.includes(kind)) expected.add(`${id} delegation.included`);
  }
  const received = receiver.at(path).filter(({ body }) => history.some(({ id }) => id === body.data['id']));
  expect(new Set(received.map(({ body }) => `${String(body.data['id'])} ${body.type}`))).toEqual(expected);
  const bodies = new Map<string, string>();
  for (const { id, text } of received) expect(bodies.set(id, bodies.get(id) ?? text).get(id)).toBe(text);
  // Nothing is written twice: only a block that a fork has dropped is an order's second one.
  const once = [...bodies.values()].map((text) => JSON.parse(text) as Received['body']);
  const last = once
    .filter(({ type }) => type !== 'delegation.included')
    .map(({ type, data }) => `${String(data['id'])} ${type}`);
  expect(last.length).toBe(new Set(last).size);
}
