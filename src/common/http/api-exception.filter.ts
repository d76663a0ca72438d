import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ERROR_ANSWERS, type ErrorCode } from '../errors/error-codes';
import { ServiceError } from '../errors/service.error';
import { allowedMethods } from './allowed-methods';
import { contractRouteOf } from './contract-route';
import { isDatabaseOutage } from './database-outage';
import { errorResponse, type Failure } from './error-response';
import { noteRefusal } from './refusal-of-response';
import { assignRequestId } from './request-id';

/** Nest's own refusals. Its 400s are paths that cannot be decoded: bodies and queries are checked by our pipe. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'NOT_FOUND',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
};

/** Every failure leaves through here. A controller outside the contract (panel, health) may bring a filter of its own, which Nest asks first. */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiExceptionFilter.name);

  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.answer(error, host);
  }

  protected answer(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const requestId = assignRequestId(request, response);
    if (response.headersSent) {
      this.logger.error({ requestId, err: error }, 'An answer failed after its first byte had left');
      response.destroy();
      return;
    }
    if (isMiss(error)) {
      const allowed = allowedMethods(request);
      if (allowed.length > 0) response.setHeader('Allow', allowed.join(', '));
      if (allowed.length > 0 && request.method === 'OPTIONS') {
        response.status(204).end();
        return;
      }
      if (allowed.length > 0 && !allowed.includes(request.method)) {
        this.send(request, response, { code: 'METHOD_NOT_ALLOWED' });
        return;
      }
    }
    const failure = toFailure(error);
    if (ERROR_ANSWERS[failure.code].status === 500) {
      this.logger.error({ requestId, code: failure.code, err: error }, 'A request failed');
    }
    this.send(request, response, failure);
  }

  private send(request: Request, response: Response, failure: Failure): void {
    const route = contractRouteOf(request.originalUrl);
    const answer = errorResponse(failure, route, this.configuration.billing.answersCarryCost);
    noteRefusal(response, failure);
    response.status(answer.status).set(answer.headers).json(answer.body);
  }
}

function isMiss(error: unknown): boolean {
  return error instanceof HttpException && error.getStatus() === 404;
}

function toFailure(error: unknown): Failure {
  if (error instanceof ServiceError) {
    return isDatabaseOutage(error.cause) ? { ...pick(error), reason: DATABASE_AWAY } : pick(error);
  }
  if (error instanceof HttpException) return { code: CODE_OF_STATUS[error.getStatus()] ?? 'INTERNAL' };
  return { code: 'INTERNAL', ...(isDatabaseOutage(error) && { reason: DATABASE_AWAY }) };
}

/** Closes the balance route's 500. */
export const DATABASE_AWAY = '数据库暂时不可用';

function pick({ code, details, delegationId, headers }: ServiceError): Failure {
  return { code, details, delegationId, headers };
}
