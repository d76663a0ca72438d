import {
  DEPOSIT_EVENTS,
  DepositEventSchema,
  LowBalanceEventSchema,
  ORDER_EVENTS,
  OrderEventSchema,
  TestEventSchema,
} from './webhook-event.schemas';
import type { WebhookEvent } from '../webhooks/webhook-events';

interface Event {
  readonly summary: string;
  /** The schema of its body, by name. */
  readonly body: 'OrderEvent' | 'DepositEvent' | 'LowBalanceEvent' | 'TestEvent';
}

export const WEBHOOK_BODIES = [OrderEventSchema, DepositEventSchema, LowBalanceEventSchema, TestEventSchema];

const EVENTS: Readonly<Record<WebhookEvent, Event>> = {
  ...(Object.fromEntries(
    Object.entries(ORDER_EVENTS).map(([event, summary]) => [event, { summary, body: 'OrderEvent' }]),
  ) as Record<keyof typeof ORDER_EVENTS, Event>),
  ...(Object.fromEntries(
    Object.entries(DEPOSIT_EVENTS).map(([event, summary]) => [event, { summary, body: 'DepositEvent' }]),
  ) as Record<keyof typeof DEPOSIT_EVENTS, Event>),
  'balance.low': {
    summary: 'The available balance has fallen below the threshold of the account. Sent at most once in ten minutes',
    body: 'LowBalanceEvent',
  },
  'webhook.test': { summary: 'The user of the webhook requested a test', body: 'TestEvent' },
};

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const PARAMETERS = [
  header('webhook-id', 'The same for each attempt. Remember it to recognize repeats', {
    type: 'string',
    format: 'uuid',
  }),
  header('webhook-timestamp', 'Unix time of the attempt, in seconds', { type: 'string', pattern: '^\\d{1,12}$' }),
  header(
    'webhook-signature',
    '`v1,` followed by the HMAC-SHA256 of id.timestamp.body in base64. Several signatures are separated by blanks',
    {
      type: 'string',
    },
  ),
];

/** What the service calls at its users' own addresses, as OpenAPI 3.1 has it: an event that lacks its body does not compile. */
export const WEBHOOKS = Object.fromEntries(
  Object.entries(EVENTS).map(([event, { summary, body }]) => [event, { post: operationOf(event, summary, body) }]),
);

function operationOf(event: string, summary: string, body: Event['body']) {
  return {
    operationId: `on${event.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['Webhooks'],
    // Makers of clients leave it out: a client has the bodies, and no method that calls its own server. That of Python would not compile.
    'x-internal': true,
    summary,
    description:
      'Signed as Standard Webhooks 1.0. Each event is sent at least once; the order of events is not guaranteed.',
    security: [],
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } },
    },
    responses: {
      '2XX': { description: 'Your server has accepted the event, within 15 seconds' },
      '410': { description: 'The service disables the webhook' },
      default: { description: 'The service tries again later' },
    },
  };
}
