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
      'Names this call in the logs of the service. It is the X-Request-Id of the request if that one is valid, else a new one',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
  'X-Delegation-Id': {
    description: 'The id of the order, for GET /api/chain/delegations/{id}',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Delegation-State': {
    description: '`included`: the delegation is in a block. `accepted`: the block takes longer, so look up the order',
    required: true,
    schema: { type: 'string', enum: ['included', 'accepted'] },
  },
  'RateLimit-Limit': {
    description:
      'Calls that the current window allows. With several limits, the headers describe the one with the fewest calls left',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'Calls left in the window',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends', required: true, schema: seconds },
  'Retry-After': { description: 'Seconds to wait before the next attempt', required: true, schema: seconds },
  Link: {
    description: 'Page that explains this error code, relative to the base address of the service',
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
    description: 'The error code, for programs',
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
    description: 'Your own id for this call. The answer repeats it, and the logs of the service contain it',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Use a new key for each order and the same key for each repeat of it: a repeat gets the first answer instead of a second order. Always send ' +
      'a key, without commas. If a proxy repeats the header, equal lines and equal parts between commas count as one value, and lines that ' +
      'differ are refused. A single line with different parts is a key as it stands',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]{1,255}$' },
  },
};

export const accepts = (...names: (keyof typeof PARAMETERS)[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
