import type { NextFunction, Request, Response } from 'express';
import { withoutChainName } from './contract-route';
import { assignRequestId } from './request-id';

/** The first thing every request meets: its id, and one spelling of the chain's name for all routes behind. */
export function enter(request: Request, response: Response, next: NextFunction): void {
  assignRequestId(request, response);
  request.url = withoutChainName(request.url);
  next();
}
