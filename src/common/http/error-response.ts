import { ERROR_ANSWERS, type ErrorCode } from '../errors/error-codes';
import type { ContractRoute } from './contract-route';

export interface Failure {
  readonly code: ErrorCode;
  readonly details?: Record<string, string[]>;
  readonly delegationId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the balance route's 500: short, safe, never an error's own text. */
  readonly reason?: string;
}

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly success: false;
    readonly error: string;
    readonly details?: Record<string, string[]>;
    readonly cost?: 0;
  };
}

const BALANCE_RATE_LIMITED = '请求过于频繁,请5秒后再试';
const BALANCE_FAILED = '获取余额失败: ';
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };
const WAIT_FOR_ENERGY = { 'Retry-After': '600' };

const STANDING_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  UNAUTHENTICATED: CHALLENGE,
  PERMISSION_DENIED: CHALLENGE,
  INSUFFICIENT_ENERGY: WAIT_FOR_ENERGY,
  PAUSED: WAIT_FOR_ENERGY,
};

/** The one place where a failure becomes an answer: status, headers and body of the contract. */
export function errorResponse(failure: Failure, route: ContractRoute, answersCarryCost: boolean): ErrorResponse {
  const { code, details, delegationId } = failure;
  return {
    status: ERROR_ANSWERS[code].status,
    headers: {
      ...STANDING_HEADERS[code],
      ...failure.headers,
      'X-Error-Code': code,
      Link: `<${helpPath(code)}>; rel="help"`,
      ...(delegationId && { 'X-Delegation-Id': delegationId }),
    },
    body: {
      success: false,
      error: errorText(failure, route),
      ...(details && { details }),
      ...(route === 'delegate' && answersCarryCost && { cost: 0 as const }),
    },
  };
}

/** Where people read what to do: `docs/customers` has a heading of each code. */
const helpPath = (code: ErrorCode) => `/docs/errors#${code}`;

function errorText({ code, reason }: Failure, route: ContractRoute): string {
  const { status, text } = ERROR_ANSWERS[code];
  if (route === 'balance' && status === 429) return BALANCE_RATE_LIMITED;
  if (route === 'balance' && status === 500) return BALANCE_FAILED + (reason ?? '服务器内部错误');
  return text;
}
