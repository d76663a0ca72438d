import type { Language } from '../../../config/languages';

/** In the order of the menu. The first is the beginning. */
export const PAGE_NAMES = [
  'index',
  'first-order',
  'account',
  'keys',
  'idempotency',
  'errors',
  'quote',
  'orders',
  'token-limits',
  'webhooks',
  'receipts',
  'top-up',
] as const;
export type PageName = (typeof PAGE_NAMES)[number];

export const isPageName = (name: string): name is PageName => (PAGE_NAMES as readonly string[]).includes(name);

/** Where a page is, in a language of the reader's choice. */
export const documentPath = (language: Language, name: PageName): string =>
  name === 'index' ? `/docs/${language}` : `/docs/${language}/${name}`;
