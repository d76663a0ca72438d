import { ENGLISH } from './en';
import { CHINESE } from './zh';

export const NOTICE_MESSAGES = { en: ENGLISH, zh: CHINESE } as const satisfies Record<string, typeof ENGLISH>;
export type NoticeLanguage = keyof typeof NOTICE_MESSAGES;
/** The same in every language. */
export type NoticeText = Readonly<Record<NoticeLanguage, string>>;

export const NOTICE_LANGUAGES = Object.keys(NOTICE_MESSAGES) as readonly NoticeLanguage[];

export function inEachLanguage(textIn: (messages: typeof ENGLISH, language: NoticeLanguage) => string): NoticeText {
  const texts = NOTICE_LANGUAGES.map((language) => [language, textIn(NOTICE_MESSAGES[language], language)] as const);
  return Object.fromEntries(texts) as NoticeText;
}
