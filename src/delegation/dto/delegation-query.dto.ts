import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../common/errors/service.error';
import { characterCount, isStorable } from '../../common/text';
import { IDEMPOTENCY_KEY_SENTENCE, isIdempotencyKey } from '../idempotency-key';
import type { OrderCriteria } from '../lookup/order-lookup';
import { ORDER_STATES } from '../order.states';

const DEFAULT_LIMIT = 20;
const MOST = 100;

type Query = Readonly<Record<string, unknown>>;
type Rule = readonly [field: string, holds: (text: string) => boolean, message: string];

const RULES: readonly Rule[] = [
  ['txid', (text) => /^[0-9a-f]{64}$/i.test(text), 'The txid must be 64 hexadecimal digits.'],
  ['idempotency_key', isIdempotencyKey, IDEMPOTENCY_KEY_SENTENCE],
  ['state', (text) => (ORDER_STATES as readonly string[]).includes(text), 'The selected state is invalid.'],
  ['receiver_address', (text) => characterCount(text) === 34, 'The receiver address must be 34 characters.'],
  ['receiver_address', isStorable, 'The receiver address format is invalid.'],
  ['before', isUuid, 'The before must be an order id.'],
  [
    'limit',
    (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST,
    `The limit must be between 1 and ${MOST}.`,
  ],
];

/** The filters of `GET /api/chain/delegations`. @throws ServiceError VALIDATION_FAILED */
export function readDelegationQuery(query: Query, userId: string): OrderCriteria & { readonly limit: number } {
  const details: Record<string, string[]> = {};
  const given: Record<string, string> = {};
  for (const [field, holds, message] of RULES) {
    const value = query[field];
    if (value === undefined || value === '') continue;
    if (typeof value === 'string' && holds(value)) given[field] = value;
    else details[field] ??= [message];
  }
  if (Object.keys(details).length > 0) throw new ServiceError('VALIDATION_FAILED', 'Invalid query', { details });
  return {
    userId,
    txId: given['txid']?.toLowerCase(),
    idempotencyKey: given['idempotency_key'],
    state: given['state'],
    receiver: given['receiver_address'],
    before: given['before'],
    limit: Number(given['limit'] ?? DEFAULT_LIMIT),
  };
}
