import type { NextFunction, Request, Response } from 'express';
import { withoutChainName } from './contract-route';
import { withinRequest } from './request-context';
import { assignRequestId } from './request-id';

/** The first thing every request meets: its id, and one spelling of the chain's name for all routes behind. */
export function enter(request: Request, response: Response, next: NextFunction): void {
  request.url = withoutChainName(request.url);
  withinRequest(assignRequestId(request, response), next);
}
