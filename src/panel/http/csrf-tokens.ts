import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { cookieName, cookieOptions, readCookie } from './cookie';
import { textOf } from './form';
import { SESSION_SECRET } from './session-secret';
import { IDLE_MS } from './session.store';

/** Also accepted as a header, for whoever scripts the panel. */
export const CSRF_FIELD = '_csrf';

const VISITOR_COOKIE = 'panel_visitor';
const VISITOR = /^[\w-]{43}$/;
const TOKEN = /^([0-9a-f]{64})\.([0-9a-f]{64})$/;

/**
 * Each form carries a token that only a page of ours could have read: signed for the session, or for the visitor before there is
 * one, and for nothing else, so that no other tab and no other site can make it worthless.
 */
@Injectable()
export class CsrfTokens {
  constructor(@Inject(SESSION_SECRET) private readonly secret: string) {}

  /** Another one on every page, so that it cannot be guessed from how well a page compresses. */
  issue(request: Request, response: Response): string {
    const holder = sessionOf(request) ?? visitorOf(request, response);
    if (holder === null) return '';
    const salt = randomBytes(32).toString('hex');
    return `${this.sign(salt, holder).toString('hex')}.${salt}`;
  }

  holds(request: Request): boolean {
    const holder = sessionOf(request) ?? visitorIn(request);
    const field = textOf(request.body as Record<string, unknown> | undefined, CSRF_FIELD);
    const [, signature, salt] = TOKEN.exec(field || String(request.headers['x-csrf-token'])) ?? [];
    if (holder === null || signature === undefined || salt === undefined) return false;
    return timingSafeEqual(Buffer.from(signature, 'hex'), this.sign(salt, holder));
  }

  private sign(salt: string, holder: string): Buffer {
    return createHmac('sha256', this.secret).update(`form ${salt} ${holder}`).digest();
  }
}

function sessionOf({ session, sessionID }: Request): string | null {
  return session.userId === undefined ? null : `session ${sessionID}`;
}

function visitorIn(request: Request): string | null {
  const id = readCookie(request, cookieName(request, VISITOR_COOKIE));
  return id !== undefined && VISITOR.test(id) ? `visitor ${id}` : null;
}

/** Made by a page that is looked at, never by a form: one that another site sends comes without the cookie there is. */
function visitorOf(request: Request, response: Response): string | null {
  const known = visitorIn(request);
  if (request.method !== 'GET') return known;
  const id = known?.split(' ')[1] ?? randomBytes(32).toString('base64url');
  response.cookie(cookieName(request, VISITOR_COOKIE), id, { ...cookieOptions(request), maxAge: IDLE_MS });
  return `visitor ${id}`;
}
