import { LANGUAGE_CODES, type Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';
import type { NoticeItem } from '../notice-kinds';

/** A reader takes in no more of them at once. */
const MOST_ITEMS = 30;

export interface NoticeMessage {
  /** The same at each attempt. */
  readonly id: string;
  readonly items: readonly NoticeItem[];
}

export function operatorText({ items }: NoticeMessage, language: Language, panelUrl: string): string {
  const { notices } = LANGUAGES[language];
  const lines = items.slice(0, MOST_ITEMS).map(({ text }) => `- ${text[language] ?? text.en}`);
  if (items.length > MOST_ITEMS) lines.push(`- ${notices.more(items.length - MOST_ITEMS)}`);
  return [...lines, '', notices.panel(panelUrl)].join('\n');
}

export function operatorSubject({ items }: NoticeMessage, language: Language, siteName: string): string {
  const { notices } = LANGUAGES[language];
  const [first] = items;
  if (first?.kind === 'glance') return notices.glanceSubject(siteName, first.text[language] ?? first.text.en);
  return notices.operatorSubject(siteName, items.length);
}

interface TopUpWays {
  /** In the operator's own words. */
  readonly text?: string;
  /** Each customer has a deposit address, and a page that shows it. */
  readonly deposits?: boolean;
}

/** In every language: which one the customer reads is not known. */
export function customerText(
  { items }: NoticeMessage,
  baseUrl: string,
  { text: topUpText, deposits = false }: TopUpWays = {},
): string {
  const texts = LANGUAGE_CODES.map((language) => items.flatMap(({ text }) => text[language] ?? []).join('\n'));
  const howTo = topUpText === undefined ? [] : [topUpText];
  const panel = `${baseUrl}/panel/${deposits ? 'top-up' : 'balance'}`;
  return [...texts.filter((text) => text !== ''), ...howTo, panel, `${baseUrl}/docs/top-up`].join('\n\n');
}

export function customerSubject(siteName: string): string {
  return Object.values(LANGUAGES)
    .map(({ notices }) => notices.customerSubject(siteName))
    .join(' · ');
}
