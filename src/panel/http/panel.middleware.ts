import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import session from 'express-session';
import { SessionService } from '../../auth/sessions/session.service';
import { isLanguage } from '../../languages/languages';
import { rememberLocale } from '../messages/locale';
import { cookieName, cookieOptions, keepOwnCookies } from './cookie';
import { asksForFragment, type PanelRequest } from './visit';
import { setPanelHeaders } from './panel-headers';
import { SESSION_SECRET } from './session-secret';
import { IDLE_MS, SessionStore, UntouchedSessionStore } from './session.store';

interface SessionReaders {
  readonly visit: RequestHandler;
  /** Of a page that keeps itself up to date. */
  readonly fragment: RequestHandler;
}

/** Before every page: headers, language, body, session. */
@Injectable()
export class PanelMiddleware implements NestMiddleware {
  private readonly readForm = express.urlencoded({ extended: false, limit: '32kb', parameterLimit: 50 });
  private readonly plain: SessionReaders;
  private readonly secure: SessionReaders;

  constructor(sessions: SessionService, @Inject(SESSION_SECRET) secret: string) {
    [this.plain, this.secure] = [false, true].map((isSecure) => ({
      visit: sessionReader(new SessionStore(sessions), secret, { secure: isSecure, rolling: true }),
      fragment: sessionReader(new UntouchedSessionStore(sessions), secret, { secure: isSecure, rolling: false }),
    })) as [SessionReaders, SessionReaders];
  }

  use(request: PanelRequest, response: Response, next: NextFunction): void {
    setPanelHeaders(response);
    keepOwnCookies(request);
    if (switchLanguage(request, response)) return;
    // A static file needs no session.
    if (request.path.startsWith('/panel/assets/')) return next();
    const failed = (error: unknown) => {
      request.panelFailure = error;
      next();
    };
    this.readForm(request, response, (bodyError?: unknown) => {
      if (bodyError) return failed(bodyError);
      const readers = request.secure ? this.secure : this.plain;
      const readSession = asksForFragment(request) ? readers.fragment : readers.visit;
      void readSession(request, response, (sessionError?: unknown) => {
        if (sessionError) return failed(sessionError);
        next();
      });
    });
  }
}

interface ReaderOptions {
  readonly secure: boolean;
  /** Each request prolongs the session. */
  readonly rolling: boolean;
}

function sessionReader(store: SessionStore, secret: string, { secure, rolling }: ReaderOptions): RequestHandler {
  return session({
    name: cookieName({ secure }, 'panel_session'),
    secret,
    // Not shared: express-session keeps its cookie options in the store.
    store,
    cookie: { ...cookieOptions({ secure }), maxAge: IDLE_MS },
    resave: false,
    saveUninitialized: false,
    rolling,
  });
}

/** `?lang=zh` on any page is remembered; the redirect leaves it out. */
function switchLanguage(request: Request, response: Response): boolean {
  const url = new URL(request.originalUrl, 'http://panel');
  const wanted = url.searchParams.get('lang');
  if (!isLanguage(wanted) || request.method !== 'GET') return false;
  rememberLocale(request, response, wanted);
  url.searchParams.delete('lang');
  // Only path and query: `//elsewhere` in the path must not become another host.
  response.redirect(303, `${url.pathname.replace(/^\/+/, '/')}${url.search}`);
  return true;
}
