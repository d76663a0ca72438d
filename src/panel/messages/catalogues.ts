import type { Language } from '../../../config/languages';
import { LANGUAGES, type Texts } from '../../languages/languages';

/** A language's texts of the panel, as English has them. */
type Areas = Texts['panel'];

/** All of them, by areas of the panel. */
export type Messages = {
  readonly [Area in keyof Areas]: Omit<Areas['shared'], keyof Areas[Area]> & Areas[Area];
};

export const CATALOGUES = Object.fromEntries(
  Object.entries(LANGUAGES).map(([language, { panel }]) => [language, withShared(panel)] as const),
) as Readonly<Record<Language, Messages>>;

function withShared(texts: Areas): Messages {
  const areas = Object.entries(texts).map(([area, own]) => [area, { ...texts.shared, ...own }] as const);
  return Object.fromEntries(areas) as unknown as Messages;
}
