import { LANGUAGE_CODES, type Language } from '../../config/languages';
import * as en from './en';
import * as zh from './zh';

/** All texts of a language, as English has them. */
export type Texts = typeof en;

export const LANGUAGES: Readonly<Record<Language, Texts>> = { en, zh };

export function isLanguage(value: unknown): value is Language {
  return LANGUAGE_CODES.includes(value as Language);
}

/** The same in every language. */
export type InEachLanguage = Readonly<Record<Language, string>>;

export function inEachLanguage(textIn: (texts: Texts, language: Language) => string): InEachLanguage {
  const texts = LANGUAGE_CODES.map((language) => [language, textIn(LANGUAGES[language], language)] as const);
  return Object.fromEntries(texts) as InEachLanguage;
}
