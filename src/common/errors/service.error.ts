import type { ErrorCode } from './error-codes';

export interface ServiceErrorOptions {
  /** Laravel-style messages per field; part of the body of a 400. */
  details?: Record<string, string[]>;
  /** Once an order row exists, its id goes out as `X-Delegation-Id` with every answer. */
  delegationId?: string;
  /** Headers of this one answer, e.g. `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal with a public code; `message` is for the log and never leaves the service. */
export class ServiceError extends Error {
  readonly details?: Record<string, string[]>;
  readonly delegationId?: string;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    message: string = code,
    options: ServiceErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.details = options.details;
    this.delegationId = options.delegationId;
    this.headers = options.headers ?? {};
  }
}
