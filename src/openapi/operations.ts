import type { ErrorCode } from '../common/errors/error-codes';
import { accepts, always } from './headers';
import type { Operation } from './operation';

/** A route that needs a token, with what any such route may refuse with. */
const withToken = (...failures: ErrorCode[]) => ({
  security: [{ bearer: [] }],
  parameters: accepts('X-Request-Id'),
  failures: ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'RATE_LIMITED', ...failures, 'INTERNAL'] satisfies ErrorCode[],
});

const EMPTY_FIELD = { verbose: ['The verbose must not be empty.'] };
const UNKNOWN_FIELD = { verbose: ['The field verbose is unknown.'] };

/** Every route, by method and path. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /api/chain/delegate-resource': {
    operationId: 'delegateResource',
    tags: ['Energy'],
    summary: 'Delegate energy to an address: 65,000 energy for each transaction',
    description:
      'The answer decides the charge: a failure is never charged, and a success is charged exactly its cost, once. ' +
      'Repeat the call with the same Idempotency-Key after a time-out, after a 500 without X-Delegation-Id, and after an answer that has ' +
      'neither a 200 with a txid nor X-Error-Code (it comes from a gateway).',
    ...withToken(
      'VALIDATION_FAILED',
      'RECEIVER_NOT_ACTIVATED',
      'RECEIVER_IS_CONTRACT',
      'RECEIVER_NOT_ALLOWED',
      'COST_ABOVE_MAX',
      'MALFORMED_BODY',
      'UNSUPPORTED_MEDIA_TYPE',
      'BODY_TOO_LARGE',
      'IDEMPOTENCY_KEY_INVALID',
      'IDEMPOTENCY_KEY_REUSED',
      'ACTIVATION_UNAVAILABLE',
      'NODE_UNAVAILABLE',
      'SIGNER_UNAVAILABLE',
      'OUTCOME_UNKNOWN',
      'INSUFFICIENT_BALANCE',
      'TOKEN_LIMIT_REACHED',
      'INSUFFICIENT_ENERGY',
      'PAUSED',
    ),
    parameters: accepts('Idempotency-Key', 'X-Request-Id'),
    headers: always('X-Delegation-Id', 'X-Delegation-State'),
    invalid: { amount: ['The amount must be at least 1.'] },
    makesOrder: true,
  },
  'GET /api/user/token': {
    operationId: 'getToken',
    tags: ['Account'],
    summary: 'Permissions and limits of the token of this call, and what it has used today',
    ...withToken('VALIDATION_FAILED'),
    invalid: EMPTY_FIELD,
  },
  'GET /api/user/balance': {
    operationId: 'getBalance',
    tags: ['Account'],
    summary: 'What the caller can spend. One call in 5 seconds',
    ...withToken(),
  },
  'GET /api/user/deposit-address': {
    operationId: 'getDepositAddress',
    tags: ['Account'],
    summary: "The caller's own deposit address. TRX and USDT paid there are credited once the payment is final",
    description: 'Answers 404 NOT_FOUND while deposits are off.',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND', 'NODE_UNAVAILABLE', 'PAUSED'),
    invalid: UNKNOWN_FIELD,
  },
  'GET /api/user/deposits': {
    operationId: 'listDeposits',
    tags: ['Account'],
    summary: "The caller's deposits, newest first",
    description: 'Answers 404 NOT_FOUND while deposits are off.',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND'),
    invalid: { limit: ['The limit must be between 1 and 100.'] },
  },
  'GET /api/chain/quote': {
    operationId: 'getQuote',
    tags: ['Energy'],
    summary:
      'Energy and cost of an order placed now, on request sized for a TRC-20 transfer. A quote reserves and promises nothing',
    description:
      'An unknown query field is refused. So are `token` and `value` without `to`, because there would be no transfer to size.',
    ...withToken('VALIDATION_FAILED', 'RECEIVER_NOT_ALLOWED', 'NODE_UNAVAILABLE'),
    invalid: { receiver_address: ['The receiver address field is required.'] },
  },
  'GET /api/chain/delegations': {
    operationId: 'listDelegations',
    tags: ['Energy'],
    summary: "The caller's orders, newest first",
    description:
      'An unknown query field is refused, so that a misspelt filter never shows other orders. A path with a final slash has an empty order id and answers 404.',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND'),
    invalid: { limit: ['The limit must be between 1 and 100.'] },
  },
  'GET /api/chain/delegations/{id}': {
    operationId: 'getDelegation',
    tags: ['Energy'],
    summary: 'One order of the caller',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND'),
    invalid: UNKNOWN_FIELD,
  },
  'GET /api/chain/delegations/{id}/receipt': {
    operationId: 'getReceipt',
    tags: ['Energy'],
    summary: "Proof of an order's delegation that requires no trust in this service or in any node",
    description:
      'Contains the transaction, its place in a block, and the signed headers that make the block final. /docs/receipts says how to check it. ' +
      'Answers 404 NOT_FOUND until the delegation is in a final block, and for an order whose delegation never got into one.',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND'),
    invalid: UNKNOWN_FIELD,
  },
  'GET /health/live': {
    operationId: 'getLiveness',
    tags: ['Health'],
    summary: 'Whether the process is running',
  },
  'GET /health/ready': {
    operationId: 'getReadiness',
    tags: ['Health'],
    summary: 'Whether database, migrations, node and signer allow an order now',
    reasons: ['NODE_UNAVAILABLE', 'SIGNER_UNAVAILABLE', 'INTERNAL'],
  },
};
