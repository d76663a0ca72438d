import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { Public } from '../../auth/access.decorator';
import { LANGUAGES } from '../../languages/languages';
import { SiteFilter } from '../http/site.filter';
import { type Reader, readerOf, sendSitePage } from '../http/site-page';
import { frameOf, renderSitePage } from '../layout/site-layout';
import { ServiceStatus, type Status } from './service-status';
import { statusDocument } from './status.json';
import { StatusContent } from './status.page';

/** A proxy that keeps answers takes the load of everybody who looks. */
const KEPT_SECONDS = 15;

@Controller()
@Public()
@UseFilters(SiteFilter)
export class StatusController {
  /** A status is rendered once for each kind of reader: a page costs more than its reading, which hundreds share. */
  private readonly rendered = new WeakMap<Status, Map<string, string>>();

  constructor(
    private readonly service: ServiceStatus,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get('status')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const reader = readerOf(request);
    const status = await this.service.now();
    const html = this.once(status, `${reader.language} ${reader.chosen}`, () => this.render(reader, status));
    sendSitePage(response, { html, vary: ['Accept-Language'], keptSeconds: KEPT_SECONDS });
  }

  @Get('status.json')
  async file(@Res() response: Response): Promise<void> {
    const status = await this.service.now();
    const text = this.once(status, 'json', () => JSON.stringify(statusDocument(status)));
    response.setHeader('Cache-Control', `public, max-age=${KEPT_SECONDS}`);
    response.type('json').send(text);
  }

  private render(reader: Reader, status: Status): string {
    const { language } = reader;
    const frame = {
      ...reader,
      ...frameOf(this.configuration),
      title: LANGUAGES[language].site.status.title,
      pathIn: (other: Reader['language']) => `/status?lang=${other}`,
    };
    return renderSitePage(frame, <StatusContent {...{ language, status }} />);
  }

  private once(status: Status, key: string, render: () => string): string {
    const rendered = this.rendered.get(status) ?? new Map<string, string>();
    this.rendered.set(status, rendered);
    const text = rendered.get(key) ?? render();
    rendered.set(key, text);
    return text;
  }
}
