const VALIDATION = { status: 400, text: '参数验证失败' };
const SERVER_ERROR = { status: 500, text: '服务器内部错误,请稍后再试' };
const NO_MONEY = { status: 501, text: '余额不足,请先充值' };
const NO_ENERGY = { status: 501, text: '能量不足,请稍后再试' };

/** The closed list behind `X-Error-Code`, with the status and the fixed sentence each one has in the contract. */
export const ERROR_ANSWERS = {
  VALIDATION_FAILED: VALIDATION,
  RECEIVER_NOT_ACTIVATED: VALIDATION,
  RECEIVER_IS_CONTRACT: VALIDATION,
  RECEIVER_NOT_ALLOWED: VALIDATION,
  MALFORMED_BODY: VALIDATION,
  UNSUPPORTED_MEDIA_TYPE: VALIDATION,
  BODY_TOO_LARGE: VALIDATION,
  IDEMPOTENCY_KEY_INVALID: VALIDATION,
  IDEMPOTENCY_KEY_REUSED: VALIDATION,
  UNAUTHENTICATED: { status: 401, text: '用户未登录' },
  PERMISSION_DENIED: { status: 401, text: '令牌权限不足' },
  RATE_LIMITED: { status: 429, text: '请求过于频繁,请稍后再试' },
  INSUFFICIENT_BALANCE: NO_MONEY,
  INSUFFICIENT_ENERGY: NO_ENERGY,
  ACTIVATION_UNAVAILABLE: SERVER_ERROR,
  NODE_UNAVAILABLE: SERVER_ERROR,
  OUTCOME_UNKNOWN: SERVER_ERROR,
  PAUSED: NO_ENERGY,
  NOT_FOUND: { status: 404, text: '请求的资源不存在' },
  METHOD_NOT_ALLOWED: { status: 405, text: '请求方法不被允许' },
  INTERNAL: SERVER_ERROR,
  COST_ABOVE_MAX: VALIDATION,
  TOKEN_LIMIT_REACHED: NO_MONEY,
  SIGNER_UNAVAILABLE: SERVER_ERROR,
} as const satisfies Readonly<Record<string, { readonly status: number; readonly text: string }>>;

export type ErrorCode = keyof typeof ERROR_ANSWERS;
export const ERROR_CODES = Object.keys(ERROR_ANSWERS) as ErrorCode[];

/** The service failed its caller. Everything else is about the call, its token or its account. */
export const SERVICE_FAILURES: readonly ErrorCode[] = ERROR_CODES.filter((code) => {
  const answer = ERROR_ANSWERS[code];
  return answer === SERVER_ERROR || answer === NO_ENERGY;
});
