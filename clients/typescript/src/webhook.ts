import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deposit, Order } from './types.ts';

export type WebhookEvent =
  | {
      readonly type: 'delegation.included' | 'delegation.delegated' | 'delegation.failed' | 'delegation.reclaimed';
      readonly timestamp: string;
      readonly data: Order;
    }
  | {
      readonly type: 'deposit.seen' | 'deposit.credited' | 'deposit.waiting';
      readonly timestamp: string;
      readonly data: Deposit;
    }
  | {
      readonly type: 'balance.low';
      readonly timestamp: string;
      /** In TRX. */
      readonly data: { readonly available: number; readonly threshold: number };
    }
  | { readonly type: 'webhook.test'; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> };

/** As `node:http` or `fetch` give them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How far the sender's clock may be from this one, 300 by itself: what is older may be somebody else's repeat. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/** This is not a call of the service: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Checks a webhook (Standard Webhooks 1.0) and returns its event. The same event may come again: remember `webhook-id`.
 * @param body the bytes as they came: JSON that was parsed and written again has another signature
 * @param secret `whsec_…`; several while they are rotated
 * @throws WebhookError
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: WebhookOptions = {},
): WebhookEvent {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is not a Unix time');
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (Math.abs(ageSeconds) > toleranceSeconds) throw new WebhookError('webhook-timestamp is too old or too new');

  const keys = (typeof secret === 'string' ? [secret] : secret).map(keyOf);
  const signatures = given.split(' ').filter((signature) => signature.startsWith('v1,'));
  // Every pair is compared, so that time tells nothing of which one fits.
  let isSigned = false;
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    for (const signature of signatures) {
      if (isEqual(Buffer.from(signature.slice(3), 'base64'), expected)) isSigned = true;
    }
  }
  if (!isSigned) throw new WebhookError('webhook-signature matches none of the secrets');
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookEvent;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookError(`The header ${name} is missing or repeated`);
  return value;
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // An empty key would sign for anybody.
  if (key.length === 0) throw new WebhookError('The secret must be whsec_ followed by base64');
  return key;
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
