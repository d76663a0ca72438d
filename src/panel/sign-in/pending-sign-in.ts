import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { createHash, randomBytes } from 'node:crypto';
import { type PendingSignIn, PendingSignInRepository } from '../../auth/pending-sign-ins/pending-sign-in.repository';
import { clientAddress, networkOf } from '../../common/http/client-ip';
import { cookieName, cookieOptions, readCookie } from '../http/cookie';

const COOKIE = 'panel_step';
/** Time enough to find the phone. */
const VALID_MS = 5 * 60_000;

/**
 * Between password and code there is no session: a random value in a cookie, of which the database has the hash, says whose password
 * was right, and opens nothing but the question for the code. Not a signed cookie: what signs for all instances is in every copy of the
 * database, and whoever has one would need no password. The id of the session that follows is made behind both.
 */
@Injectable()
export class PendingSignIns {
  constructor(private readonly rows: PendingSignInRepository) {}

  /** False when all sessions of the user were ended since the password was verified. */
  async leave(request: Request, pending: PendingSignIn): Promise<boolean> {
    const value = randomBytes(32).toString('base64url');
    if (!(await this.rows.begin(keyOf(value), pending, networkOf(clientAddress(request)), VALID_MS))) return false;
    request.res!.cookie(cookieName(request, COOKIE), value, { ...cookieOptions(request), maxAge: VALID_MS });
    return true;
  }

  /** Null when nobody's password was right in this browser within five minutes, or all sessions of the user were ended since. */
  async find(request: Request): Promise<PendingSignIn | null> {
    const value = this.valueIn(request);
    return value === undefined ? null : this.rows.find(keyOf(value));
  }

  /** Once; false when it was used or ended meanwhile. */
  async use(request: Request): Promise<boolean> {
    const value = this.valueIn(request);
    request.res!.clearCookie(cookieName(request, COOKIE), cookieOptions(request));
    return value !== undefined && this.rows.use(keyOf(value));
  }

  private valueIn(request: Request): string | undefined {
    return readCookie(request, cookieName(request, COOKIE));
  }
}

function keyOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
