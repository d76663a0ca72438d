import type { UserLanguage } from '../../users/user.entity';
import * as en from './en';
import * as zh from './zh';

export type Locale = UserLanguage;

/** A language's folder, as English has it. */
type Texts = typeof en;
type Shared = Texts['shared'];

/** All texts of a language, by areas of the panel. */
export type Messages = {
  readonly [Area in keyof Texts]: Omit<Shared, keyof Texts[Area]> & Texts[Area];
};

export const CATALOGUES: Readonly<Record<Locale, Messages>> = { en: withShared(en), zh: withShared(zh) };

function withShared(texts: Texts): Messages {
  const areas = Object.entries(texts).map(([area, own]) => [area, { ...texts.shared, ...own }] as const);
  return Object.fromEntries(areas) as unknown as Messages;
}
