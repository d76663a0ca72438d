import { NOTICE_TEXTS } from '../messages/notice-texts';
import type { NoticeItem, NoticeText } from '../notice-kinds';

type Language = keyof NoticeText;

/** A reader takes in no more of them at once. */
const MOST_ITEMS = 30;

export interface NoticeMessage {
  /** The same at each attempt. */
  readonly id: string;
  readonly items: readonly NoticeItem[];
}

export function operatorText({ items }: NoticeMessage, language: Language, panelUrl: string): string {
  const lines = items.slice(0, MOST_ITEMS).map(({ text }) => `- ${text[language]}`);
  if (items.length > MOST_ITEMS) lines.push(`- ${NOTICE_TEXTS.more(items.length - MOST_ITEMS)[language]}`);
  return [...lines, '', `${NOTICE_TEXTS.panel[language]}: ${panelUrl}`].join('\n');
}

export function operatorSubject({ items }: NoticeMessage, language: Language): string {
  return NOTICE_TEXTS.operatorSubject(items.length)[language];
}

/** In both languages: which one the customer reads is not known. */
export function customerText({ items }: NoticeMessage, panelUrl: string): string {
  const inOne = (language: Language) => items.map(({ text }) => text[language]).join('\n');
  return [inOne('en'), '', inOne('zh'), '', `${panelUrl}/balance`].join('\n');
}

export const CUSTOMER_SUBJECT = `${NOTICE_TEXTS.customerSubject.en} · ${NOTICE_TEXTS.customerSubject.zh}`;
