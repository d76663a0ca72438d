// Orders energy for an address and waits until it is final. Node 22.18 and newer run it as it is.
//   npm install energy-delegation-client
//   SERVICE_URL=https://energy.example.com API_TOKEN=… RECEIVER=T… node first-delegation.ts
import { EnergyClient, EnergyError, NoAnswerError, OrderStateError } from 'energy-delegation-client';

const { SERVICE_URL = '', API_TOKEN = '', RECEIVER = '' } = process.env;
const client = new EnergyClient({ baseUrl: SERVICE_URL, token: API_TOKEN });

try {
  // Repeats itself after a time-out, a 429 or a 5xx, with one Idempotency-Key: the order is placed once.
  const { delegationId } = await client.delegate({ receiver_address: RECEIVER, amount: 1 });
  // Final and charged. Better than to ask: a webhook (verify-webhook.ts).
  const order = await client.waitFor(delegationId, 'delegated');
  console.log(order.id, order.state);
} catch (error) {
  process.exitCode = 1;
  if (error instanceof EnergyError)
    console.error(`not delegated, not charged: ${error.code} ${error.message}`, error.details ?? '');
  else if (error instanceof OrderStateError) console.error(`not delegated, not charged: ${error.message}`);
  // Keep the key: delegate(request, { idempotencyKey }) has the answer, now or tomorrow.
  else if (error instanceof NoAnswerError) console.error(`no answer (key ${error.idempotencyKey}): ${error.message}`);
  else throw error;
}
