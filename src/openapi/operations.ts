import type { OpenAPIObject } from '@nestjs/swagger';
import { ORDER_STATES } from '../delegation/order.states';
import { failures } from './failures';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const BEARER = [{ bearer: [] }];
const SUCCESS = { type: 'boolean', enum: [true] };

/** Every route, by method and path. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /api/chain/delegate-resource': {
    operationId: 'delegate-resource',
    summary: 'Delegate energy to an address, 65,000 units for each transaction',
    security: BEARER,
    parameters: [
      header('Idempotency-Key', 'The same key with the same fields gives the stored answer; 1 to 255 characters'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['receiver_address', 'amount'],
            properties: {
              receiver_address: { type: 'string', minLength: 34, maxLength: 34 },
              amount: { type: 'number', minimum: 1, description: 'Transactions whose energy is needed' },
              time: {
                type: 'integer',
                enum: [10, 1440],
                default: 10,
                description: 'Rental time in minutes, recorded only',
              },
              activate_address: {
                type: 'boolean',
                default: false,
                description: 'Activate an inactive receiver for 1.5',
              },
            },
          },
        },
      },
    },
    responses: {
      200: answer('Delegated', {
        success: SUCCESS,
        message: { type: 'string', enum: ['委托成功'] },
        txid: { type: 'string' },
        cost: { type: 'number', description: 'Variant B only: native units charged; 0 on failure' },
      }),
      ...failures(
        'VALIDATION_FAILED',
        'UNAUTHENTICATED',
        'RATE_LIMITED',
        'INTERNAL',
        'INSUFFICIENT_BALANCE',
        'INSUFFICIENT_ENERGY',
      ),
    },
  },
  'GET /api/user/balance': {
    operationId: 'balance',
    summary: 'What the caller can spend; one call in 5 seconds',
    security: BEARER,
    responses: {
      200: answer('The balance less holds', {
        success: SUCCESS,
        data: {
          type: 'object',
          properties: { balance: { type: 'number' }, updated_at: { type: 'string', format: 'date-time' } },
        },
      }),
      ...failures('UNAUTHENTICATED', 'RATE_LIMITED', 'INTERNAL'),
    },
  },
  'GET /api/chain/delegations': {
    operationId: 'list-delegations',
    summary: "The caller's orders, newest first",
    security: BEARER,
    parameters: ['txid', 'idempotency_key', 'state', 'receiver_address', 'limit', 'before'].map(query),
    responses: {
      200: answer('A page of orders', {
        success: SUCCESS,
        data: { type: 'array', items: { type: 'object' } },
        next_before: { type: 'string', nullable: true },
      }),
      ...failures('VALIDATION_FAILED', 'UNAUTHENTICATED', 'RATE_LIMITED', 'INTERNAL'),
    },
  },
  'GET /api/chain/delegations/{id}': {
    operationId: 'show-delegation',
    summary: 'One order of the caller',
    security: BEARER,
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
    responses: {
      200: answer('The order', {
        success: SUCCESS,
        data: { type: 'object', properties: { state: { type: 'string', enum: [...ORDER_STATES] } } },
      }),
      ...failures('UNAUTHENTICATED', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL'),
    },
  },
  'GET /health/live': {
    operationId: 'live',
    summary: 'Whether the process runs',
    responses: { 200: answer('It does', { status: { type: 'string' } }) },
  },
  'GET /health/ready': {
    operationId: 'ready',
    summary: 'Whether database, migrations and node allow an order now',
    responses: { 200: { description: 'They do' }, 503: { description: 'They do not; `checks` says which' } },
  },
};

function answer(description: string, properties: Record<string, object>) {
  return { description, content: { 'application/json': { schema: { type: 'object', properties } } } };
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

function query(name: string): Parameter {
  return { name, in: 'query', schema: { type: 'string' } };
}
