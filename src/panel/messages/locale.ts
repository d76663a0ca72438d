import type { Request, Response } from 'express';
import { readCookie } from '../http/cookie';

export const LOCALES = ['en', 'zh'] as const;
export type Locale = (typeof LOCALES)[number];

const COOKIE = 'panel_language';
const A_YEAR_MS = 365 * 86_400_000;

export const LANGUAGE_TAGS: Readonly<Record<Locale, string>> = { en: 'en', zh: 'zh-Hans' };

/** The chosen language, else the first one that the browser accepts. */
export function localeOf(request: Request): Locale {
  const chosen = readCookie(request, COOKIE);
  if (isLocale(chosen)) return chosen;
  const accepted = request.acceptsLanguages(...LOCALES);
  return isLocale(accepted) ? accepted : 'en';
}

export function rememberLocale(request: Request, response: Response, locale: Locale): void {
  response.cookie(COOKIE, locale, {
    path: '/panel',
    maxAge: A_YEAR_MS,
    sameSite: 'lax',
    httpOnly: true,
    secure: request.secure,
  });
}

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}
