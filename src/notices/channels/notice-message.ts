import { NOTICE_LANGUAGES, NOTICE_MESSAGES, type NoticeLanguage } from '../messages/notice-messages';
import type { NoticeItem } from '../notice-kinds';

/** A reader takes in no more of them at once. */
const MOST_ITEMS = 30;

export interface NoticeMessage {
  /** The same at each attempt. */
  readonly id: string;
  readonly items: readonly NoticeItem[];
}

export function operatorText({ items }: NoticeMessage, language: NoticeLanguage, panelUrl: string): string {
  const messages = NOTICE_MESSAGES[language];
  const lines = items.slice(0, MOST_ITEMS).map(({ text }) => `- ${text[language]}`);
  if (items.length > MOST_ITEMS) lines.push(`- ${messages.more(items.length - MOST_ITEMS)}`);
  return [...lines, '', messages.panel(panelUrl)].join('\n');
}

export function operatorSubject({ items }: NoticeMessage, language: NoticeLanguage): string {
  return NOTICE_MESSAGES[language].operatorSubject(items.length);
}

/** In every language: which one the customer reads is not known. */
export function customerText({ items }: NoticeMessage, panelUrl: string): string {
  const texts = NOTICE_LANGUAGES.map((language) => items.map(({ text }) => text[language]).join('\n'));
  return [...texts, `${panelUrl}/balance`].join('\n\n');
}

export const CUSTOMER_SUBJECT = Object.values(NOTICE_MESSAGES)
  .map(({ customerSubject }) => customerSubject)
  .join(' · ');
