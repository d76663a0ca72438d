const CONNECTION_CODES = /^(?:08\w{3}|25006|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|ENOENT|ETIMEDOUT|EPIPE|ENOTFOUND)$/;
const CONNECTION_TEXTS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered|Query read timeout)/;

/** The database itself is away, as against a statement that failed. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string' && CONNECTION_CODES.test(code)) return true;
  if (CONNECTION_TEXTS.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseOutage)) return true;
  return cause !== undefined && isDatabaseOutage(cause);
}
