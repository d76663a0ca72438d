import { type Answer, type Caller, OrderWorld } from '../support/order-world';

export const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export type QuoteFields = Record<string, string | number>;

export function quotePath(fields: QuoteFields): string {
  const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  return `/api/chain/quote?${query}`;
}

export const askQuote = (world: OrderWorld, caller: Caller, fields: QuoteFields): Promise<Answer> =>
  world.get(caller, quotePath(fields));

/** The data of a quote that must be given. */
export async function quoted(world: OrderWorld, caller: Caller, fields: QuoteFields): Promise<Record<string, unknown>> {
  const { status, text, body } = await askQuote(world, caller, fields);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body['data'] as Record<string, unknown>;
}

export const giveTokens = (world: OrderWorld, address: string, balance: number): Promise<unknown> =>
  world.control('token', { address, balance });
