import type { Request, Response } from 'express';
import { USER_LANGUAGES } from '../../users/user.entity';
import { readCookie } from '../http/cookie';
import type { Locale } from './catalogues';

export const LOCALES = USER_LANGUAGES;

const COOKIE = 'panel_language';
const A_YEAR_MS = 365 * 86_400_000;

/** What was chosen in this browser, else what the user has set, else the first one that the browser accepts. */
export function localeOf(request: Request, user: { readonly language: Locale | null } | null = null): Locale {
  const chosen = readCookie(request, COOKIE);
  if (isLocale(chosen)) return chosen;
  if (user?.language) return user.language;
  const accepted = request.acceptsLanguages(...LOCALES);
  return isLocale(accepted) ? accepted : 'en';
}

export function rememberLocale(request: Request, response: Response, locale: Locale): void {
  response.cookie(COOKIE, locale, { ...cookieOf(request), maxAge: A_YEAR_MS });
}

export function forgetLocale(request: Request, response: Response): void {
  response.clearCookie(COOKIE, cookieOf(request));
}

function cookieOf({ secure }: Request) {
  return { path: '/panel', sameSite: 'lax', httpOnly: true, secure } as const;
}

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}
