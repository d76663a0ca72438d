import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { concatMap, type Observable } from 'rxjs';
import { renderFragment, renderPage } from '../layout/render-page';
import { AccountStateReader } from './account-state';
import { ExportTurn } from './export-turn';
import { KeptAnswers } from './kept-answers';
import { asksForFragment, outcomeShown, type PanelRequest } from './visit';
import { Download, Export, Page, type Reply, SeeOther, ShownAnswer } from './reply';

/** Turns what a controller returns into the answer. */
@Injectable()
export class PageInterceptor implements NestInterceptor<Reply, unknown> {
  constructor(
    private readonly account: AccountStateReader,
    private readonly exports: ExportTurn,
    private readonly answers: KeptAnswers,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<Reply>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<PanelRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      concatMap(async (reply) => {
        if (reply instanceof SeeOther) {
          if (reply.outcome) request.session.outcome = reply.outcome;
          await saveSession(request);
          response.status(303).setHeader('Location', reply.url);
          return '';
        }
        if (reply instanceof Download) {
          const chunks = await this.chunksOf(reply, request, response);
          response.status(200);
          const disposition = `attachment; filename="${reply.fileName}"`;
          return new StreamableFile(Readable.from(chunks), { type: reply.type, disposition });
        }
        if (reply instanceof ShownAnswer) {
          response.status(reply.status).type('html');
          return reply.html;
        }
        if (!(reply instanceof Page)) throw new Error(`${context.getHandler().name} returned no page`);
        const fragment = asksForFragment(request);
        if (!fragment) outcomeShown(request);
        const { user } = request.visit!;
        // As it is now, behind what the request has done.
        const account = user && (await this.account.read(user));
        const keptAt = await this.answers.keep(request, reply, account);
        if (keptAt !== null) {
          await saveSession(request);
          response.status(303).setHeader('Location', keptAt);
          return '';
        }
        response.status(reply.status).type('html');
        return (fragment ? renderFragment : renderPage)(request.visit!, reply, account);
      }),
    );
  }

  private async chunksOf(reply: Download, { visit, method }: PanelRequest, response: Response) {
    // Of a head nothing is read: a turn taken for it might still be given back when the file itself is asked for.
    if (!(reply instanceof Export) || method === 'HEAD') return reply.chunks;
    return this.exports.take(visit!.user!.id, response, reply.chunks);
  }
}

/** A redirect has no body: the browser could come back before express-session has saved. */
async function saveSession({ session }: PanelRequest): Promise<void> {
  const current = session as PanelRequest['session'] | undefined;
  if (current?.userId !== undefined) await promisify(current.save.bind(current))();
}
