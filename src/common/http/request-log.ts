import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** One line a request. Query strings, headers and bodies stay out: they carry tokens. */
export function logRequests(logger: LoggerService) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedMs = performance.now();
    const [path] = request.originalUrl.split('?', 1);
    response.once('close', () => {
      logger.log({
        reqId: response.getHeader('X-Request-Id'),
        method: request.method,
        path,
        status: response.writableFinished ? response.statusCode : 'cut',
        ms: Math.round((performance.now() - startedMs) * 10) / 10,
        msg: 'request',
      });
    });
    next();
  };
}
