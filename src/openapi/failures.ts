import { ERROR_ANSWERS, type ErrorCode } from '../common/errors/error-codes';
import { DATABASE_AWAY } from '../common/http/api-exception.filter';
import { contractRouteOf } from '../common/http/contract-route';
import { errorResponse } from '../common/http/error-response';
import { always, errorCodeHeader, type Headers, limitHeaders, sometimes } from './headers';
import type { Operation } from './operation';

type Details = Readonly<Record<string, string[]>>;

const DETAILS: Partial<Record<ErrorCode, Details>> = {
  RECEIVER_NOT_ACTIVATED: { receiver_address: ['The receiver address is not activated.'] },
  RECEIVER_IS_CONTRACT: { receiver_address: ['The receiver address must not be a contract.'] },
  RECEIVER_NOT_ALLOWED: { receiver_address: ['The receiver address is not allowed.'] },
  BODY_TOO_LARGE: { body: ['The body may not be greater than 16 kilobytes.'] },
  COST_ABOVE_MAX: { max_cost: ['The cost of 3.5 is more than the max cost.'] },
  IDEMPOTENCY_KEY_INVALID: { idempotency_key: ['The idempotency key must be 1 to 255 printable ASCII characters.'] },
  IDEMPOTENCY_KEY_REUSED: { idempotency_key: ['The idempotency key was used with a different request.'] },
};
/** Which reasons come with a header of their own, besides what `errorResponse` gives them. */
const LIMITED: Partial<Record<ErrorCode, Record<string, string>>> = { RATE_LIMITED: { 'Retry-After': '5' } };

/** The one failure whose sentence says more than its code. */
const OUTAGE = {
  'INTERNAL (database)': { value: errorResponse({ code: 'INTERNAL', reason: DATABASE_AWAY }, 'balance', false).body },
};

/** Every failure of a route by status: its reasons, and for each the body that the service answers. */
export function failuresOf(path: string, operation: Operation): Record<string, object> {
  const { failures = [], invalid, security, makesOrder } = operation;
  const byStatus = Map.groupBy(failures, (code) => ERROR_ANSWERS[code].status);
  return Object.fromEntries(
    Array.from(byStatus, ([status, codes]) => {
      const headers = {
        ...limitHeaders(status, security !== undefined),
        ...(makesOrder && status >= 500 && sometimes('X-Delegation-Id', 'if the order exists')),
      };
      return [status, failure(path, codes, headers, invalid)];
    }),
  );
}

/** What any path may answer, described or not. */
export const ANYWHERE = {
  NotFound: failure('', ['NOT_FOUND']),
  MethodNotAllowed: failure('', ['METHOD_NOT_ALLOWED'], {
    Allow: { description: 'The methods that the path supports', required: true, schema: { type: 'string' } },
  }),
  MalformedRequest: failure('', ['MALFORMED_BODY'], {}, undefined, { request: ['The request is malformed.'] }),
};

function failure(
  path: string,
  codes: readonly ErrorCode[],
  headers: Headers = {},
  invalid?: Details,
  malformed?: Details,
) {
  const details = { ...DETAILS, VALIDATION_FAILED: invalid, MALFORMED_BODY: malformed };
  const route = contractRouteOf(path);
  const answers = codes.map((code) => {
    const known = details as Partial<Record<ErrorCode, Record<string, string[]>>>;
    return { code, ...errorResponse({ code, details: known[code], headers: LIMITED[code] }, route, false) };
  });
  return {
    description: [...new Set(answers.map(({ body }) => body.error))].join(' · '),
    headers: { ...always('X-Request-Id', 'Link'), ...errorCodeHeader(codes), ...headers, ...headersByReason(answers) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: {
          ...Object.fromEntries(answers.map(({ code, body }) => [code, { value: body }])),
          ...(route === 'balance' && codes.includes('INTERNAL') && OUTAGE),
        },
      },
    },
  };
}

type Answer = { readonly code: ErrorCode } & Pick<ReturnType<typeof errorResponse>, 'headers'>;

/** Where not every reason of the status has the header, its description names those that do. */
function headersByReason(answers: readonly Answer[]): Headers {
  const headers: Headers = {};
  for (const name of ['Retry-After', 'WWW-Authenticate']) {
    const codes = answers.filter((answer) => name in answer.headers).map(({ code }) => code);
    if (codes.length === answers.length) Object.assign(headers, always(name));
    else if (codes.length > 0) Object.assign(headers, sometimes(name, `with ${codes.join(', ')}`));
  }
  return headers;
}
