import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import { Clock } from '../../common/clock';
import { refusalOf } from '../../common/http/refusal-of-response';
import { RequestBody } from '../../common/http/request-body';
import type { AuthenticatedRequest } from '../../users/request-user';
import { RefusedAttempts } from './refused-attempts';

const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const AMOUNT = /^\d{1,18}(?:\.\d{1,9})?$/;
const MOST_FIELDS = 5;

/**
 * Notes each call for an order that was refused without becoming one, after its answer. A call without a good token belongs to no user, and
 * is not noted.
 */
@Injectable()
export class RefusedAttemptMiddleware implements NestMiddleware<AuthenticatedRequest, Response> {
  constructor(
    private readonly attempts: RefusedAttempts,
    private readonly clock: Clock,
  ) {}

  use(request: AuthenticatedRequest, response: Response, next: NextFunction): void {
    response.once('close', () => this.look(request, response));
    next();
  }

  private look(request: AuthenticatedRequest, response: Response): void {
    const { user } = request;
    const refusal = refusalOf(response);
    // With an id there is an order's row, which says itself what it was answered with.
    if (!user || !refusal || refusal.delegationId !== undefined) return;
    const requestId = response.getHeader('X-Request-Id');
    const values = request.body instanceof RequestBody ? request.body.values : {};
    this.attempts.note({
      at: this.clock.now(),
      userId: user.id,
      tokenId: user.tokenId,
      code: refusal.code,
      fields: Object.keys(refusal.details ?? {}).slice(0, MOST_FIELDS),
      receiver: ofForm(values['receiver_address'], ADDRESS),
      amount: ofForm(values['amount'], AMOUNT),
      requestId: typeof requestId === 'string' ? requestId : null,
    });
  }
}

/** Null for anything else: whatever was pasted into the wrong field is kept nowhere. */
function ofForm(value: unknown, form: RegExp): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return null;
  const text = String(value);
  return form.test(text) ? text : null;
}
