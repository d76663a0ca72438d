import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function mintSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** As its user gets it. */
export function secretText(secret: Buffer): string {
  return PREFIX + secret.toString('base64');
}

export interface SignedContent {
  readonly id: string;
  /** Unix time. */
  readonly timestamp: number;
  readonly body: string;
}

/** Standard Webhooks 1.0: one signature for each secret, any of which the receiver may know. */
export function signWebhook({ id, timestamp, body }: SignedContent, secrets: readonly Buffer[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`).join(' ');
}
