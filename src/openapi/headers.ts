import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCode } from '../common/errors/error-codes';

type Components = NonNullable<OpenAPIObject['components']>;
export type Headers = NonNullable<Components['headers']>;
type Header = Headers[string];

const seconds = { type: 'integer', minimum: 1 } as const;

/** Those that every answer of their kind carries; an answer refers to them by name. */
export const HEADERS: Headers = {
  'X-Request-Id': {
    description:
      'Names this call in the logs of the service: the one that was sent, if it was a plain one, else a new one',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
  'X-Delegation-Id': {
    description: 'The order, for GET /api/chain/delegations/{id}',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Delegation-State': {
    description: '`included`: the delegation is in a block. `accepted`: the block took longer, look the order up',
    required: true,
    schema: { type: 'string', enum: ['included', 'accepted'] },
  },
  'RateLimit-Limit': {
    description: 'Calls that the window allows; of several limits, the one with the fewest calls left',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'Calls left in the window',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends', required: true, schema: seconds },
  'Retry-After': { description: 'Seconds after which the call may be tried again', required: true, schema: seconds },
  Link: {
    description: 'Where this reason is explained, relative to the service',
    required: true,
    schema: { type: 'string', pattern: '^</docs/errors#[A-Z_]+>; rel="help"$' },
  },
  'WWW-Authenticate': { required: true, schema: { type: 'string', enum: ['Bearer'] } },
};

const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

export const always = (...names: string[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The same header where it is sent in some cases only; `when` says in which. */
export const sometimes = (name: string, when: string): Headers => {
  const { description, ...header } = HEADERS[name] as Header & { description?: string };
  return { [name]: { description: `${description}. Sent ${when}`, ...header, required: false } };
};

/** What an answer says of the limits: nothing where calls are not counted. */
export function limitHeaders(status: number, countsCalls: boolean): Headers {
  if (!countsCalls || status === 401) return {};
  if (status !== 500) return always(...RATE_LIMIT);
  return Object.assign({}, ...RATE_LIMIT.map((name) => sometimes(name, 'when the call was counted'))) as Headers;
}

export const errorCodeHeader = (codes: readonly ErrorCode[]): Headers => ({
  'X-Error-Code': {
    description: 'The reason, for programs',
    required: true,
    schema: { type: 'string', enum: [...codes] },
  },
});

/** Headers that a caller may send; an operation refers to them by name. */
export const PARAMETERS: NonNullable<Components['parameters']> = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Comes back on the answer and names the call in the logs of the service',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'New for each order, the same for each repeat of it: a repeat gets the first answer instead of a second order. Always send one, without ' +
      'commas. Lines of the header, or its parts between commas, that are all equal are that one value; lines that differ are refused; one ' +
      'line with different parts is a key as it stands',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]{1,255}$' },
  },
};

export const accepts = (...names: (keyof typeof PARAMETERS)[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
