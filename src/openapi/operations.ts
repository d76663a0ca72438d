import type { OpenAPIObject } from '@nestjs/swagger';
import { failures } from './failures';

type Described = NonNullable<OpenAPIObject['paths'][string]['get']>;
/** What a route's own types cannot say; parameters, bodies and answers come from them. */
type Operation = Pick<Described, 'operationId' | 'summary' | 'security' | 'parameters'> & {
  readonly failures?: Readonly<Record<string, object>>;
};

const BEARER = [{ bearer: [] }];

/** Every route, by method and path. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /api/chain/delegate-resource': {
    operationId: 'delegate-resource',
    summary: 'Delegate energy to an address, 65,000 units for each transaction',
    security: BEARER,
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'The same key with the same fields gives the stored answer; 1 to 255 characters',
        schema: { type: 'string' },
      },
    ],
    failures: failures(
      'VALIDATION_FAILED',
      'UNAUTHENTICATED',
      'PERMISSION_DENIED',
      'RATE_LIMITED',
      'INTERNAL',
      'RECEIVER_NOT_ALLOWED',
      'COST_ABOVE_MAX',
      'TOKEN_LIMIT_REACHED',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_ENERGY',
    ),
  },
  'GET /api/user/token': {
    operationId: 'token',
    summary: 'What the token of this call may do, and what it has used today',
    security: BEARER,
    failures: failures('UNAUTHENTICATED', 'PERMISSION_DENIED', 'RATE_LIMITED', 'INTERNAL'),
  },
  'GET /api/user/balance': {
    operationId: 'balance',
    summary: 'What the caller can spend; one call in 5 seconds',
    security: BEARER,
    failures: failures('UNAUTHENTICATED', 'PERMISSION_DENIED', 'RATE_LIMITED', 'INTERNAL'),
  },
  'GET /api/chain/delegations': {
    operationId: 'list-delegations',
    summary: "The caller's orders, newest first",
    security: BEARER,
    failures: failures('VALIDATION_FAILED', 'UNAUTHENTICATED', 'PERMISSION_DENIED', 'RATE_LIMITED', 'INTERNAL'),
  },
  'GET /api/chain/delegations/{id}': {
    operationId: 'show-delegation',
    summary: 'One order of the caller',
    security: BEARER,
    failures: failures('UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL'),
  },
  'GET /health/live': {
    operationId: 'live',
    summary: 'Whether the process runs',
  },
  'GET /health/ready': {
    operationId: 'ready',
    summary: 'Whether database, migrations and node allow an order now',
  },
};
