import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimitStorage } from '../../rate-limit/rate-limit.storage';
import { PanelError } from './panel-errors';

/** Pages that keep themselves up to date in twenty tabs ask for less. */
export const MOST_REQUESTS = 300;
const MINUTE_MS = 60_000;

/** Each page reads the database: a session that is signed in may have so many requests a minute, counted where RATE_LIMIT_STORE says. */
@Injectable()
export class SessionLimit {
  constructor(private readonly limits: RateLimitStorage) {}

  /** @throws PanelError flood */
  async take(sessionId: string): Promise<void> {
    // Who reads the table of windows must not find what signs in.
    const key = createHash('sha256').update(`requests of ${sessionId}`).digest('base64url');
    const { isBlocked, timeToExpire } = await this.limits.increment(key, MINUTE_MS, MOST_REQUESTS, 0, 'panel-session');
    if (isBlocked) throw new PanelError('flood', timeToExpire);
  }
}
