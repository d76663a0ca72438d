import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import type { Language } from '../../../config/languages';
import { PanelAddress } from '../../common/http/panel-address';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { LANGUAGES } from '../../languages/languages';
import { newCustomerPrice } from '../new-customer-price';
import { LIMIT_VALUES } from './limit-values';
import { type MarkdownOptions, type RenderedMarkdown, renderMarkdown } from './markdown';
import { documentPath, isPageName, PAGE_NAMES, type PageName } from './page-names';
import type { Searched } from './search-sections';

/** The repository's folders; the build brings both along. */
const ROOT = join(__dirname, '..', '..', '..');
const PAGES_AT = 'docs/customers';

export interface DocumentPage extends RenderedMarkdown {
  readonly name: PageName;
  readonly path: string;
}

export type Pages = ReadonlyMap<PageName, DocumentPage>;

/** The pages for customers, rendered of their markdown with what this service is set to: with the first page that is asked for, then kept. */
@Injectable()
export class DocumentLibrary {
  private readonly rendered = new Map<Language, Pages>();

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
    private readonly address: PanelAddress,
  ) {}

  pagesIn(language: Language): Pages {
    const known = this.rendered.get(language) ?? this.render(language);
    this.rendered.set(language, known);
    return known;
  }

  sectionsIn(language: Language): Searched[] {
    return [...this.pagesIn(language).values()].flatMap(({ name, title, sections }) =>
      sections.map((section) => ({ ...section, page: name, pageTitle: title })),
    );
  }

  private render(language: Language): Pages {
    const options = this.optionsIn(language);
    return new Map(
      PAGE_NAMES.map((name) => {
        const source = readFileSync(join(ROOT, PAGES_AT, language, `${name}.md`), 'utf8');
        return [name, { name, path: documentPath(language, name), ...renderMarkdown(source, options) }];
      }),
    );
  }

  private optionsIn(language: Language): MarkdownOptions {
    const { billing, customers, deposits, notices } = this.configuration;
    const holds = [
      `variant-${billing.variant.toLowerCase()}`,
      deposits === null ? 'no-deposits' : 'deposits',
      ...(customers.topUpText === undefined ? [] : ['top-up-text']),
      ...(customers.topUpText === undefined && deposits === null ? ['no-top-up-text'] : []),
      notices.email === null ? 'no-mail' : 'mail',
      customers.signUp === 'off' ? 'no-sign-up' : 'sign-up',
    ];
    return {
      linkOf: (href) => linkIn(language, href.replace('{{base_url}}', this.address.baseUrl())),
      fileAt: (href) => exampleAt(language, href),
      holds: new Set(holds),
      values: this.valuesIn(language),
    };
  }

  private valuesIn(language: Language): Record<string, string> {
    const { delegation, rateLimit, reclaim, customers } = this.configuration;
    const texts = LANGUAGES[language].site.docs;
    const minutes = String(reclaim.delayMs / 60_000);
    return {
      ...LIMIT_VALUES,
      base_url: this.address.baseUrl(),
      rate_limit: String(rateLimit.perMinute),
      unit_price: newCustomerPrice(this.pricing),
      answer_timeout: texts.seconds(String(delegation.answerTimeoutMs / 1000)),
      reclaim_text: reclaim.atRentalEnd ? texts.reclaimAtRentalEnd(minutes) : texts.reclaim(minutes),
      top_up_text: customers.topUpText ?? '',
    };
  }
}

/** A link of a file of ours: to a page, to the reference, or to an address that stays as it is. */
function linkIn(language: Language, href: string): string | null {
  // The reader of a page that names its language keeps it in the panel.
  if (/^https?:.*\/panel(\/[\w-]+)?$/.test(href)) return `${href}?lang=${language}`;
  if (/^https?:/.test(href)) return null;
  const [file = '', anchor] = href.split('#');
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (file === '') return suffix;
  if (file.endsWith('/openapi.json')) return '/docs/api';
  const name = /^([\w-]+)\.md$/.exec(file)?.[1];
  if (name === undefined || !isPageName(name))
    throw new Error(`A document links to ${href}, which the site does not have`);
  return `${documentPath(language, name)}${suffix}`;
}

function exampleAt(language: Language, href: string): string | null {
  const path = normalize(join(PAGES_AT, language, href));
  if (!path.startsWith('examples/')) return null;
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
