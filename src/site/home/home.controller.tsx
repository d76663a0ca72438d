import { Controller, Get, Inject, NotFoundException, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { Public } from '../../auth/access.decorator';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { SiteFilter } from '../http/site.filter';
import { readerOf, sendSitePage } from '../http/site-page';
import { frameOf, renderSitePage } from '../layout/site-layout';
import { newCustomerPrice } from '../new-customer-price';
import { EnergyForStrangers } from './energy-now';
import { HomeContent } from './home.page';

/** A range that a browser names; programs that take anything, or JSON, do not. */
const HTML = /(?:^|,)\s*text\/html\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i;

/** The service's own address, for people. A program that asks for it gets what it gets of any path that there is not. */
@Controller()
@Public()
@UseFilters(SiteFilter)
export class HomeController {
  constructor(
    private readonly energy: EnergyForStrangers,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!HTML.test(request.headers.accept ?? '')) throw new NotFoundException();
    const reader = readerOf(request);
    const frame = frameOf(this.configuration);
    const { siteName, signUp, statusPage } = frame;
    const energy = await this.energy.now();
    const html = renderSitePage(
      { ...reader, ...frame, title: siteName, pathIn: (other) => `/?lang=${other}` },
      <HomeContent {...{ reader, signUp, statusPage, energy }} price={newCustomerPrice(this.pricing)} />,
    );
    sendSitePage(response, { html, vary: ['Accept', 'Accept-Language'], keptSeconds: 60 });
  }
}
