import { AsyncResource } from 'node:async_hooks';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { MAX_BODY_BYTES, RequestBody } from './request-body';

/** A client that is still writing would see a reset instead of its answer, so what is too large is read on and thrown away, up to here. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

@Injectable()
export class BodyMiddleware implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    if (!METHODS_WITH_BODY.has(request.method)) return next();

    // Events of the socket run outside of the request's context (id, trace).
    const goOn = AsyncResource.bind(next);
    let chunks: Buffer[] = [];
    let size = 0;
    const finish = (body: RequestBody) => {
      request.off('data', onData).off('end', onEnd);
      request.body = body;
      goOn();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      if (size <= MAX_DRAINED_BYTES) return;
      request.pause();
      response.setHeader('Connection', 'close');
      finish(RequestBody.tooLarge);
    };
    const onEnd = () => {
      finish(
        size > MAX_BODY_BYTES
          ? RequestBody.tooLarge
          : RequestBody.read(Buffer.concat(chunks), request.headers['content-type']),
      );
    };
    // An error without an end: the caller has hung up.
    request
      .on('data', onData)
      .on('end', onEnd)
      .on('error', () => request.destroy());
  }
}
