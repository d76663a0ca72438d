import { type ArgumentsHost, Catch, HttpException, Inject, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ApiExceptionFilter } from '../../common/http/api-exception.filter';
import { isDatabaseOutage } from '../../common/http/database-outage';
import { assignRequestId } from '../../common/http/request-id';
import { LANGUAGES } from '../../languages/languages';
import { NoticeContent } from '../layout/notice-content';
import { frameOf, renderSitePage } from '../layout/site-layout';
import { readerOf, sendSitePage } from './site-page';

/** What fails on a page of the site is a page, too. A refusal of the framework stays the answer that a program gets anywhere. */
@Catch()
export class SiteFilter extends ApiExceptionFilter {
  private readonly pageLogger = new Logger(SiteFilter.name);

  constructor(@Inject(CONFIGURATION) private readonly settings: Configuration) {
    super(settings);
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof HttpException || response.headersSent) return this.answer(error, host);
    const requestId = assignRequestId(request, response);
    this.pageLogger.error({ requestId, err: error }, 'A page of the site failed');
    const reader = readerOf(request);
    const { language } = reader;
    const isAway = isDatabaseOutage(error);
    const { title, text } = LANGUAGES[language].panel.error[isAway ? 'unavailable' : 'internal'];
    const html = renderSitePage(
      {
        ...reader,
        ...frameOf(this.settings),
        title,
        unlisted: true,
        pathIn: (other) => `?lang=${other}`,
      },
      <NoticeContent {...{ language, title, text, requestId }} />,
    );
    sendSitePage(response, { html, status: isAway ? 503 : 500 });
  }
}
