import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';
import { withoutChainName } from './contract-route';
import { withinRequest } from './request-context';
import { assignRequestId } from './request-id';
import { readTarget } from './request-target';

/** What every request meets before express does, so that log, metrics, routes and envelopes speak of one and the same path. */
export function receive(server: Server): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { url, host } = readTarget(request.url ?? '');
    request.url = url;
    if (host !== undefined) request.headers.host = host;
    // Balances and orders are nobody's to keep; the panel's files, which are, say so themselves.
    response.setHeader('Cache-Control', 'no-store');
  });
}

/** Conditions on a copy that nobody may have kept: `If-None-Match: *` would turn each answer into a 304 without a body. */
export function ignoreConditions(express: Express): void {
  Object.defineProperty(express.request, 'fresh', { get: () => false });
}

/** The first thing every request meets in express: its id, and one spelling of the chain's name for all routes behind. */
export function enter(request: Request, response: Response, next: NextFunction): void {
  request.url = withoutChainName(request.url);
  withinRequest(assignRequestId(request, response), next);
}
