import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Identity } from '../../users/user-record';
import { cookieName, cookieOptions, readCookie } from '../http/cookie';
import { SESSION_SECRET } from '../http/session-secret';

const COOKIE = 'panel_step';
const FORMAT = /^([\w-]{1,1000})\.([\w-]{43})$/;
/** Time enough to find the phone. */
const VALID_MS = 5 * 60_000;

export interface PendingSignIn extends Identity {
  /** How the first step was taken. */
  readonly by: 'password' | 'link';
}

interface Content extends PendingSignIn {
  readonly expiresAtMs: number;
}

/**
 * Between password and code there is no session: a signed cookie says whose password was right, as of the user's session epoch then,
 * and opens nothing but the question for the code. The id of the session that follows is made behind both.
 */
@Injectable()
export class PendingSignIns {
  constructor(@Inject(SESSION_SECRET) private readonly secret: string) {}

  leave(request: Request, pending: PendingSignIn): void {
    const content: Content = { ...pending, expiresAtMs: Date.now() + VALID_MS };
    const text = Buffer.from(JSON.stringify(content)).toString('base64url');
    const value = `${text}.${this.sign(text)}`;
    request.res!.cookie(cookieName(request, COOKIE), value, { ...cookieOptions(request), maxAge: VALID_MS });
  }

  /** Null when nobody's password was right in this browser within five minutes. */
  find(request: Request): PendingSignIn | null {
    const [, text, signature] = FORMAT.exec(readCookie(request, cookieName(request, COOKIE)) ?? '') ?? [];
    if (text === undefined || signature === undefined) return null;
    if (!timingSafeEqual(Buffer.from(this.sign(text)), Buffer.from(signature))) return null;
    const content = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Content;
    return content.expiresAtMs < Date.now() ? null : content;
  }

  forget(request: Request): void {
    request.res!.clearCookie(cookieName(request, COOKIE), cookieOptions(request));
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(`pending sign-in ${text}`).digest('base64url');
  }
}
