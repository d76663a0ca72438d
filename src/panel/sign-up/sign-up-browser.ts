import type { Request } from 'express';
import { cookieName, cookieOptions, readCookie } from '../http/cookie';

const COOKIE = 'panel_sign_up';
/** As long as a sign-up is kept until it is confirmed. */
const KEPT_MS = 48 * 3_600_000;

/** The browser's secret of its last sign-up, of which the database has the hash: the link confirms in this browser without another password. */
export function rememberSignUp(request: Request, secret: string): void {
  request.res!.cookie(cookieName(request, COOKIE), secret, { ...cookieOptions(request), maxAge: KEPT_MS });
}

export function signUpSecretOf(request: Request): string {
  return readCookie(request, cookieName(request, COOKIE)) ?? '';
}

export function forgetSignUp(request: Request): void {
  request.res!.clearCookie(cookieName(request, COOKIE), cookieOptions(request));
}
