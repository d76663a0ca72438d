import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import session from 'express-session';
import { SessionService } from '../../auth/sessions/session.service';
import { isLocale, rememberLocale } from '../i18n/locale';
import { readCookie } from './cookie';
import { CSRF_COOKIE } from './csrf-tokens';
import { setPanelHeaders } from './panel-headers';
import { SESSION_SECRET } from './session-secret';
import { SessionStore } from './session.store';
import type { PanelRequest } from './visit';

/** Somebody who looks at the panel all day stays signed in; who leaves it is signed out overnight. */
const IDLE_MS = 12 * 3_600_000;

/** What stands before the panel's pages: headers, language, body, session. */
@Injectable()
export class PanelMiddleware implements NestMiddleware {
  private readonly readSession: RequestHandler;
  private readonly readForm = express.urlencoded({ extended: false, limit: '32kb', parameterLimit: 50 });

  constructor(sessions: SessionService, @Inject(SESSION_SECRET) secret: string) {
    this.readSession = session({
      name: 'panel_session',
      secret,
      store: new SessionStore(sessions),
      cookie: { path: '/panel', httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: IDLE_MS },
      resave: false,
      saveUninitialized: false,
      rolling: true,
    });
  }

  use(request: PanelRequest, response: Response, next: NextFunction): void {
    setPanelHeaders(response);
    if (switchLanguage(request, response)) return;
    request.cookies = { [CSRF_COOKIE]: readCookie(request, CSRF_COOKIE) };
    // The session decides nothing about a static file.
    if (request.path.startsWith('/panel/assets/')) return next();
    const failed = (error: unknown) => {
      request.panelFailure = error;
      next();
    };
    this.readForm(request, response, (bodyError?: unknown) => {
      if (bodyError) return failed(bodyError);
      void this.readSession(request, response, (sessionError?: unknown) => {
        if (sessionError) return failed(sessionError);
        next();
      });
    });
  }
}

/** `?lang=zh` on any page is remembered, and the page shown again without it. */
function switchLanguage(request: Request, response: Response): boolean {
  const url = new URL(request.originalUrl, 'http://panel');
  const wanted = url.searchParams.get('lang');
  if (!isLocale(wanted) || request.method !== 'GET') return false;
  rememberLocale(request, response, wanted);
  url.searchParams.delete('lang');
  // Only path and query: `//elsewhere` in the path must not become another host.
  response.redirect(303, `${url.pathname.replace(/^\/+/, '/')}${url.search}`);
  return true;
}
