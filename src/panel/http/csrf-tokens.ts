import { Inject, Injectable } from '@nestjs/common';
import { doubleCsrf } from 'csrf-csrf';
import type { Request, Response } from 'express';
import { textOf } from './form';
import { SESSION_SECRET } from './session-secret';

export const CSRF_COOKIE = 'panel_form';
/** Also accepted as a header, for whoever scripts the panel. */
export const CSRF_FIELD = '_csrf';

type Utilities = ReturnType<typeof doubleCsrf>;

/** Each form carries a token that only a page of ours could have read: signed, and bound to the session it was made for. */
@Injectable()
export class CsrfTokens {
  private readonly plain: Utilities;
  private readonly secure: Utilities;

  constructor(@Inject(SESSION_SECRET) secret: string) {
    this.plain = utilities(secret, false);
    this.secure = utilities(secret, true);
  }

  issue(request: Request, response: Response): string {
    return this.for(request).generateCsrfToken(request, response, { validateOnReuse: false });
  }

  holds(request: Request): boolean {
    return this.for(request).validateRequest(request);
  }

  private for(request: Request): Utilities {
    return request.secure ? this.secure : this.plain;
  }
}

function utilities(secret: string, secure: boolean): Utilities {
  return doubleCsrf({
    getSecret: () => secret,
    // Before sign-in there is no session: then the signature and the cookie must do.
    getSessionIdentifier: (request) => (request.session.userId === undefined ? 'nobody' : request.sessionID),
    cookieName: CSRF_COOKIE,
    cookieOptions: { path: '/panel', sameSite: 'strict', httpOnly: true, secure },
    getCsrfTokenFromRequest: (request) =>
      textOf(request.body as Record<string, unknown> | undefined, CSRF_FIELD) || request.headers['x-csrf-token'],
  });
}
