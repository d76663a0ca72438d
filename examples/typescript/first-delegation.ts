// Orders energy for an address and waits until it is final. Node 22.18 and newer run it as it is.
//   npm install energy-delegation-client
//   SERVICE_URL=https://energy.example.com API_TOKEN=… RECEIVER=T… node first-delegation.ts
import { EnergyClient, EnergyError, NoAnswerError, OrderStateError } from 'energy-delegation-client';

const { SERVICE_URL = '', API_TOKEN = '', RECEIVER = '' } = process.env;
const client = new EnergyClient({ baseUrl: SERVICE_URL, token: API_TOKEN });

// Repeats itself after a time-out, a 429 or a 5xx, with one Idempotency-Key: the order is placed once.
const { delegationId, txid, idempotencyKey } = await client
  .delegate({ receiver_address: RECEIVER, amount: 1 })
  .catch((error: unknown) => {
    if (error instanceof EnergyError)
      quit(`not delegated, not charged: ${error.code} ${error.message} ${JSON.stringify(error.details ?? {})}`);
    // Keep the key: delegate(request, { idempotencyKey }) has the answer, now or tomorrow.
    if (error instanceof NoAnswerError) quit(`no answer (key ${error.idempotencyKey}): ${error.message}`);
    throw error;
  });
// Final and charged. Better than to ask: a webhook (verify-webhook.ts).
const order = await client.waitFor(delegationId, 'delegated').catch((error: Error) => {
  if (error instanceof OrderStateError) quit(`not delegated, not charged: ${error.message}`);
  // A refusal or no answer here is one of the look-up: the order was placed, and goes on.
  quit(`order ${delegationId} (txid ${txid}, key ${idempotencyKey}): state not known: ${error.message}`);
});
console.log(order.id, order.state);

function quit(message: string): never {
  console.error(message);
  process.exit(1);
}
