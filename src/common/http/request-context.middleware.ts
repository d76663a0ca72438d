import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Clock } from '../clock';
import { withoutChainName } from './contract-route';
import { withinRequest } from './request-context';
import { plainAddresses } from './forwarded-addresses';
import { assignRequestId } from './request-id';
import { readTarget } from './request-target';

/** Runs before express, so that log, metrics, routes and answers all see one and the same path. */
export function receive(server: Server): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { url, host } = readTarget(request.url ?? '');
    request.url = url;
    if (host !== undefined) request.headers.host = host;
    const forwarded = request.headers['x-forwarded-for'];
    // Node has joined its lines.
    if (typeof forwarded === 'string') request.headers['x-forwarded-for'] = plainAddresses(forwarded);
    // No cache may keep balances and orders; the panel's static files set a header of their own.
    response.setHeader('Cache-Control', 'no-store');
  });
}

/** Ignores conditional headers, since no client may keep a copy: `If-None-Match: *` would turn each answer into a 304 without a body. */
export function ignoreConditions(express: Express): void {
  Object.defineProperty(express.request, 'fresh', { get: () => false });
}

/** Runs first in express: gives the request its id and its age, and one spelling of the chain's name for all routes behind. */
export function entering(clock: Clock) {
  return function enter(request: Request, response: Response, next: NextFunction): void {
    request.url = withoutChainName(request.url);
    const context = { id: assignRequestId(request, response), arrivedMs: clock.monotonicMs() };
    request.once('end', () => (context.arrivedMs = clock.monotonicMs()));
    withinRequest(context, next);
  };
}
