import { Readable } from 'node:stream';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { renderPage } from '../layout/render-page';
import { Download, Page, type Reply, SeeOther } from './reply';
import type { PanelRequest } from './visit';

/** Turns what a controller returns into the answer. */
@Injectable()
export class PageInterceptor implements NestInterceptor<Reply, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<Reply>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<PanelRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((reply) => {
        if (reply instanceof SeeOther) {
          response.status(303).setHeader('Location', reply.url);
          return '';
        }
        if (reply instanceof Download) {
          response.status(200);
          const disposition = `attachment; filename="${reply.fileName}"`;
          return new StreamableFile(Readable.from(reply.chunks), { type: reply.type, disposition });
        }
        if (!(reply instanceof Page)) throw new Error(`${context.getHandler().name} returned no page`);
        response.status(reply.status).type('html');
        return renderPage(request.visit!, reply);
      }),
    );
  }
}
