import type { Client } from 'pg';
import type { WebhookServer } from '../network/webhook-server';
import type { OrderRow } from './checker';

/** The events that an order in its end has told, beside those that a fork can repeat. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  reclaimed: ['delegation.included', 'delegation.delegated', 'delegation.reclaimed'],
  taken_back: ['delegation.included', 'delegation.failed', 'delegation.reclaimed'],
  failed: ['delegation.failed'],
};

/** Every event at least once at its receiver, and of those that are true once, one. */
export async function checkWebhooks(
  database: Client,
  hooks: WebhookServer,
  orders: readonly OrderRow[],
): Promise<string[]> {
  const users = new Set(
    (await database.query<{ user_id: string }>('select user_id from webhooks')).rows.map((row) => row.user_id),
  );
  const received = new Map<string, number>();
  for (const { type, data } of hooks.received.values()) {
    const name = `${data.id} ${type}`;
    received.set(name, (received.get(name) ?? 0) + 1);
  }
  const found: string[] = [];
  for (const { id, state, user_id: userId } of orders) {
    if (!users.has(userId)) continue;
    for (const type of TOLD[state] ?? []) {
      const times = received.get(`${id} ${type}`) ?? 0;
      if (times === 0) found.push(`the receiver never heard ${type} of order ${id}`);
      if (times > 1 && type !== 'delegation.included') found.push(`${type} of order ${id} was written ${times} times`);
    }
  }
  return found;
}
