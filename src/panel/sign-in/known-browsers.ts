import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookieName, cookieOptions, readCookie } from '../http/cookie';
import { SESSION_SECRET } from '../http/session-secret';

const COOKIE = 'panel_browser';
const FORMAT = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;
const KEPT_MS = 180 * 86_400_000;

/** Browsers that a user has signed in with before carry a signed cookie that says so: it opens nothing, it only counts attempts apart. */
@Injectable()
export class KnownBrowsers {
  constructor(@Inject(SESSION_SECRET) private readonly secret: string) {}

  /** The browser's id, if the user with this address has signed in with it. */
  find(request: Request, email: string): string | null {
    const [, id, expires, signature] = FORMAT.exec(readCookie(request, cookieName(request, COOKIE)) ?? '') ?? [];
    if (id === undefined || signature === undefined || Number(expires) * 1000 < Date.now()) return null;
    const expected = this.sign(id, expires!, email);
    return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? id : null;
  }

  /** A known browser keeps its id when it signs in again. */
  remember(request: Request, email: string): void {
    const id = this.find(request, email) ?? randomBytes(16).toString('base64url');
    const expires = String(Math.floor((Date.now() + KEPT_MS) / 1000));
    const value = `${id}.${expires}.${this.sign(id, expires, email)}`;
    request.res!.cookie(cookieName(request, COOKIE), value, { ...cookieOptions(request), maxAge: KEPT_MS });
  }

  private sign(id: string, expires: string, email: string): string {
    return createHmac('sha256', this.secret).update(`browser ${id} ${expires} ${email}`).digest('base64url');
  }
}
