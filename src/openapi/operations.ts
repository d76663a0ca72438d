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
    summary: 'Delegate energy to an address, 65,000 units for each transaction',
    description:
      'What was answered is what happens to the money: a failure is never charged, a success exactly its cost, once. ' +
      'After a time-out, a 500 without X-Delegation-Id, or an answer that is neither a 200 with a txid nor has X-Error-Code (a gateway has ' +
      'given it), repeat the call with the same Idempotency-Key.',
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
    summary: 'What the token of this call may do, and what it has used today',
    ...withToken('VALIDATION_FAILED'),
    invalid: EMPTY_FIELD,
  },
  'GET /api/user/balance': {
    operationId: 'getBalance',
    tags: ['Account'],
    summary: 'What the caller can spend; one call in 5 seconds',
    ...withToken(),
  },
  'GET /api/user/deposit-address': {
    operationId: 'getDepositAddress',
    tags: ['Account'],
    summary: "The caller's own address: what is paid there, in TRX or USDT, is credited once it is final",
    description: 'As not found while deposits are off.',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND', 'NODE_UNAVAILABLE', 'PAUSED'),
    invalid: UNKNOWN_FIELD,
  },
  'GET /api/user/deposits': {
    operationId: 'listDeposits',
    tags: ['Account'],
    summary: "The caller's deposits, newest first",
    description: 'As not found while deposits are off.',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND'),
    invalid: { limit: ['The limit must be between 1 and 100.'] },
  },
  'GET /api/chain/quote': {
    operationId: 'getQuote',
    tags: ['Energy'],
    summary: 'What an order would be and cost now, also sized for a TRC-20 transfer; it reserves and promises nothing',
    description:
      'An unknown query field is refused, and so are `token` and `value` without `to`: no transfer would be sized.',
    ...withToken('VALIDATION_FAILED', 'RECEIVER_NOT_ALLOWED', 'NODE_UNAVAILABLE'),
    invalid: { receiver_address: ['The receiver address field is required.'] },
  },
  'GET /api/chain/delegations': {
    operationId: 'listDelegations',
    tags: ['Energy'],
    summary: "The caller's orders, newest first",
    description:
      'An unknown query field is refused, so that a misspelt filter never shows other orders. With a final slash the path has an empty order id: 404.',
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
    summary: "Proof of one order's delegation that needs no trust in this service or in any node",
    description:
      'The transaction, its place in a block, and the signed headers that make the block final: /docs/receipts says how to check it. ' +
      'As not found until the delegation is in a final block, and for an order whose delegation never got into one.',
    ...withToken('VALIDATION_FAILED', 'NOT_FOUND'),
    invalid: UNKNOWN_FIELD,
  },
  'GET /health/live': {
    operationId: 'getLiveness',
    tags: ['Health'],
    summary: 'Whether the process runs',
  },
  'GET /health/ready': {
    operationId: 'getReadiness',
    tags: ['Health'],
    summary: 'Whether database, migrations and node allow an order now',
    reasons: ['NODE_UNAVAILABLE', 'SIGNER_UNAVAILABLE', 'INTERNAL'],
  },
};
