import type { Request, Response } from 'express';
import { LANGUAGE_CODES, type Language } from '../../../config/languages';
import { isLanguage } from '../../languages/languages';
import { readCookie } from '../http/cookie';

const COOKIE = 'panel_language';
const A_YEAR_MS = 365 * 86_400_000;

/** What was chosen in this browser, else what the user has set, else the first one that the browser accepts. */
export function localeOf(request: Request, user: { readonly language: string | null } | null = null): Language {
  const chosen = readCookie(request, COOKIE);
  if (isLanguage(chosen)) return chosen;
  if (isLanguage(user?.language)) return user.language;
  const accepted = request.acceptsLanguages(...LANGUAGE_CODES);
  return isLanguage(accepted) ? accepted : 'en';
}

export function rememberLocale(request: Request, response: Response, locale: Language): void {
  response.cookie(COOKIE, locale, { ...cookieOf(request), maxAge: A_YEAR_MS });
}

export function forgetLocale(request: Request, response: Response): void {
  response.clearCookie(COOKIE, cookieOf(request));
}

function cookieOf({ secure }: Request) {
  return { path: '/panel', sameSite: 'lax', httpOnly: true, secure } as const;
}
