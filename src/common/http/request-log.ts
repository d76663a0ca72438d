import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { clientAddress } from './client-ip';
import { loggedPath } from './logged-path';
import { LogSampler } from './log-sampler';

/** The sender of a request, as far as it is known yet. */
export interface Sender {
  /** null: the sender is neither signed in nor has a good token. */
  readonly userId: string | null;
  readonly network: string;
}

/**
 * One line a request; of those that cost their sender nothing (refused ones, for want of balance and energy too, and whatever
 * strangers ask for), a sample. Orders and failures of ours are never left out. Query strings, headers and bodies stay out: they carry tokens.
 */
export function logRequests(logger: LoggerService, senderOf: (request: Request, address: string) => Sender) {
  const sample = new LogSampler((leftOut) => logger.log({ ...leftOut, msg: 'requests not logged' }));
  const observe = (request: Request, response: Response, next: NextFunction): void => {
    const startedMs = performance.now();
    const path = loggedPath(request.originalUrl);
    // After the last byte the socket may have lost its address.
    const address = clientAddress(request);
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 'cut';
      const ms = Math.round((performance.now() - startedMs) * 10) / 10;
      // A request that repeats an idempotency key is nowhere but here: its id leads to the order.
      const order = response.getHeader('X-Delegation-Id');
      if (order === undefined && !isWritten(status, senderOf(request, address), sample)) return;
      const reqId = response.getHeader('X-Request-Id');
      logger.log({ reqId, method: request.method, path, status, ms, order, msg: 'request' });
    });
    next();
  };
  return { observe, close: () => sample.close() };
}

function isWritten(status: number | 'cut', { userId, network }: Sender, sample: LogSampler): boolean {
  const isRefused = status !== 'cut' && status >= 400;
  if (isRefused ? status >= 500 && status !== 501 : userId !== null) return true;
  return sample.admits(userId ?? network, status);
}
