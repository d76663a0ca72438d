import { Inject, Injectable } from '@nestjs/common';
import { doubleCsrf } from 'csrf-csrf';
import type { Request, Response } from 'express';
import { cookieName, cookieOptions, readCookie } from './cookie';
import { textOf } from './form';
import { SESSION_SECRET } from './session-secret';
import { IDLE_MS } from './session.store';

/** Also accepted as a header, for scripts that use the panel. */
export const CSRF_FIELD = '_csrf';

const FORM_COOKIE = 'panel_form';

type Utilities = ReturnType<typeof doubleCsrf>;

/**
 * Each form carries a token that only a page of ours could have read: signed, bound to the session, and equal to a cookie that
 * lives as long as the session does, so that no other tab and no way in from another site makes a filled form worthless.
 */
@Injectable()
export class CsrfTokens {
  private readonly plain: Utilities;
  private readonly secure: Utilities;

  constructor(@Inject(SESSION_SECRET) secret: string) {
    this.plain = utilities(secret, false);
    this.secure = utilities(secret, true);
  }

  /** None on the answer to another site's form, which comes without the cookie. */
  issue(request: Request, response: Response): string {
    if (request.method !== 'GET' && formCookieOf(request) === undefined) return '';
    return this.for(request).generateCsrfToken(request, response, { validateOnReuse: false });
  }

  holds(request: Request): boolean {
    return this.for(request).validateRequest(request);
  }

  private for(request: Request): Utilities {
    request.cookies = { [cookieName(request, FORM_COOKIE)]: formCookieOf(request) };
    return request.secure ? this.secure : this.plain;
  }
}

function formCookieOf(request: Request): string | undefined {
  return readCookie(request, cookieName(request, FORM_COOKIE));
}

function utilities(secret: string, secure: boolean): Utilities {
  return doubleCsrf({
    getSecret: () => secret,
    // Before sign-in there is no session: signature, cookie and origin have to be enough.
    getSessionIdentifier: (request) => (request.session.userId === undefined ? 'nobody' : request.sessionID),
    cookieName: cookieName({ secure }, FORM_COOKIE),
    cookieOptions: { ...cookieOptions({ secure }), maxAge: IDLE_MS },
    getCsrfTokenFromRequest: (request) =>
      textOf(request.body as Record<string, unknown> | undefined, CSRF_FIELD) || request.headers['x-csrf-token'],
  });
}
