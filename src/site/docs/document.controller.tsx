import { Controller, Get, Inject, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import type { Language } from '../../../config/languages';
import { Public } from '../../auth/access.decorator';
import { isLanguage, LANGUAGES } from '../../languages/languages';
import { SiteFilter } from '../http/site.filter';
import { acceptedLanguage, type Reader, sendSitePage } from '../http/site-page';
import { NoticeContent } from '../layout/notice-content';
import { frameOf, renderSitePage, type SiteFrame } from '../layout/site-layout';
import { DocumentContent, SearchContent } from './document.pages';
import { DocumentLibrary } from './document-library';
import { documentPath, isPageName } from './page-names';
import { LONGEST_QUERY, searchSections } from './search-sections';

const NEGOTIATED = ['Accept-Language'] as const;

const accepted = (request: Request): Reader => ({ language: acceptedLanguage(request), chosen: false });
const inPath = (language: Language): Reader => ({ language, chosen: true });

/** The documents for customers. Without a language in its path a page is in the one that the browser accepts. */
@Controller('docs')
@Public()
@UseFilters(SiteFilter)
export class DocumentPageController {
  constructor(
    private readonly library: DocumentLibrary,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get()
  begin(@Req() request: Request, @Res() response: Response): void {
    this.show(response, accepted(request), 'index', NEGOTIATED);
  }

  @Get('search')
  searchAccepted(@Req() request: Request, @Query('q') query: unknown, @Res() response: Response): void {
    this.showFound(response, accepted(request), query, NEGOTIATED);
  }

  @Get(':page')
  showAccepted(@Req() request: Request, @Param('page') page: string, @Res() response: Response): void {
    if (isLanguage(page)) this.show(response, inPath(page), 'index');
    else this.show(response, accepted(request), page, NEGOTIATED);
  }

  @Get(':language/search')
  search(
    @Param('language') language: string,
    @Query('q') query: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    if (isLanguage(language)) this.showFound(response, inPath(language), query);
    else this.miss(response, accepted(request));
  }

  @Get(':language/:page')
  showIn(
    @Param('language') language: string,
    @Param('page') page: string,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    if (isLanguage(language)) this.show(response, inPath(language), page);
    else this.miss(response, accepted(request));
  }

  private show(response: Response, reader: Reader, name: string, vary?: readonly string[]): void {
    const { language } = reader;
    const pages = this.library.pagesIn(language);
    const page = isPageName(name) ? pages.get(name) : undefined;
    if (!page) return this.miss(response, reader);
    const frame = this.frame(reader, page.title, (other) => documentPath(other, page.name));
    const scripts = page.name === 'index' ? ['old-links.js'] : [];
    const html = renderSitePage(
      { ...frame, scripts },
      <DocumentContent {...{ language, pages, page, statusPage: frame.statusPage }} />,
    );
    sendSitePage(response, { html, vary });
  }

  private showFound(response: Response, reader: Reader, asked: unknown, vary?: readonly string[]): void {
    const { language } = reader;
    const query = typeof asked === 'string' ? asked.slice(0, LONGEST_QUERY).trim() : '';
    const pages = this.library.pagesIn(language);
    const hits = searchSections(this.library.sectionsIn(language), query);
    const pathIn = (other: Language) => `/docs/${other}/search?${new URLSearchParams({ q: query }).toString()}`;
    const frame = this.frame(reader, LANGUAGES[language].site.docs.search, pathIn);
    const html = renderSitePage(
      { ...frame, unlisted: true },
      <SearchContent {...{ language, pages, query, hits, statusPage: frame.statusPage }} />,
    );
    sendSitePage(response, { html, vary });
  }

  private miss(response: Response, reader: Reader): void {
    const { language } = reader;
    const { title, text } = LANGUAGES[language].site.missing;
    const frame = this.frame(reader, title, (other) => documentPath(other, 'index'));
    const html = renderSitePage({ ...frame, unlisted: true }, <NoticeContent {...{ language, title, text }} />);
    sendSitePage(response, { html, status: 404 });
  }

  private frame(reader: Reader, title: string, pathIn: SiteFrame['pathIn']): SiteFrame {
    return { ...reader, ...frameOf(this.configuration), title, pathIn };
  }
}
