import { Controller, Get, Inject, Param, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import type { Language } from '../../../config/languages';
import { ChangedWitnesses } from '../../chain/verified-chain/receipts/changed-witnesses';
import { PanelAddress } from '../../common/http/panel-address';
import { Public } from '../../auth/access.decorator';
import { ReceiptShares, type SharedReceipt } from '../../delegation/lookup/receipt-shares';
import { LANGUAGES } from '../../languages/languages';
import { BlockExplorer } from '../../panel/orders/block-explorer';
import { SiteFilter } from '../http/site.filter';
import { type Reader, readerOf, sendSitePage } from '../http/site-page';
import { NoticeContent } from '../layout/notice-content';
import { frameOf, renderSitePage } from '../layout/site-layout';
import { ReceiptLimit } from './receipt-limit';
import { ReceiptContent } from './receipt.page';

/** Receipts that their customers share. A key that was withdrawn and one that never was are answered alike. */
@Controller('r')
@Public()
@UseFilters(SiteFilter)
export class SharedReceiptController {
  constructor(
    private readonly shares: ReceiptShares,
    private readonly changed: ChangedWitnesses,
    private readonly limit: ReceiptLimit,
    private readonly explorer: BlockExplorer,
    private readonly address: PanelAddress,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get(':key')
  async show(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const reader = readerOf(request);
    const { language } = reader;
    const shared = await this.open(key, reader, request, response);
    if (!shared) return;
    const found = await this.explorer.transactionUrl();
    // The node of a local chain stands in for one, which no other machine reaches.
    const explorer = found?.startsWith('https:') ? found : null;
    const url = `${this.address.baseUrl()}/r/${key}`;
    const frame = {
      ...this.frame(reader, LANGUAGES[language].site.receipt.title, (other) => `/r/${key}?lang=${other}`),
      scripts: ['shared-receipt.js'],
    };
    const alsoActive = await this.changed.of(shared.receipt);
    const html = renderSitePage(frame, <ReceiptContent {...{ language, url, explorer, alsoActive }} {...shared} />);
    sendSitePage(response, { html, keptSeconds: 0 });
  }

  /** As the route of the API answers it. */
  @Get(':key/receipt.json')
  async file(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const shared = await this.open(key, readerOf(request), request, response);
    if (shared) response.type('json').send(JSON.stringify({ success: true, data: shared.receipt }));
  }

  /** Null once it has answered that there is none, or that there were too many requests. */
  private async open(key: string, reader: Reader, request: Request, response: Response): Promise<SharedReceipt | null> {
    response.setHeader('X-Robots-Tag', 'noindex');
    const texts = LANGUAGES[reader.language].site;
    const seconds = await this.limit.take(request);
    if (seconds !== null) {
      response.setHeader('Retry-After', String(seconds));
      this.say(response, reader, 429, texts.receipt.throttled);
      return null;
    }
    const shared = await this.shares.open(key);
    if (!shared) this.say(response, reader, 404, texts.missing);
    return shared;
  }

  private say(response: Response, reader: Reader, status: number, { title, text }: { title: string; text: string }) {
    const frame = this.frame(reader, title, (other) => `?lang=${other}`);
    const html = renderSitePage(frame, <NoticeContent {...{ language: reader.language, title, text }} />);
    sendSitePage(response, { html, status });
  }

  private frame(reader: Reader, title: string, pathIn: (language: Language) => string) {
    return { ...reader, ...frameOf(this.configuration), title, pathIn, unlisted: true };
  }
}
