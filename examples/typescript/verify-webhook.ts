// Checks a webhook (Standard Webhooks 1.0) whose body is on standard input. In a server: the raw body and the headers of the request.
//   WEBHOOK_SECRET=whsec_… WEBHOOK_ID=… WEBHOOK_TIMESTAMP=… WEBHOOK_SIGNATURE='v1,…' node verify-webhook.ts <body
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookError } from 'energy-delegation-client';

const { WEBHOOK_SECRET = '', WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE } = process.env;
const headers = {
  'webhook-id': WEBHOOK_ID,
  'webhook-timestamp': WEBHOOK_TIMESTAMP,
  'webhook-signature': WEBHOOK_SIGNATURE,
};

try {
  // The same event may come again: a server remembers `webhook-id`.
  const event = verifyWebhook(await buffer(process.stdin), headers, WEBHOOK_SECRET);
  console.log(event.type);
} catch (error) {
  if (!(error instanceof WebhookError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
