import type { UserLanguage } from '../../users/user.entity';
import * as en from './en';
import * as zh from './zh';

export type Locale = UserLanguage;

/** All texts of a language, as English has them. Another language is a folder with the same. */
export type Messages = typeof en;

export const CATALOGUES: Readonly<Record<Locale, Messages>> = { en, zh };
