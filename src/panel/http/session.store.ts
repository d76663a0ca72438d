import { type SessionData, Store } from 'express-session';
import { callbackify } from 'node:util';
import type { SessionService } from '../../auth/sessions/session.service';
import type { Outcome } from './visit';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    outcome: Outcome;
  }
}

/** Long enough for a day of use, short enough to be signed out overnight. */
export const IDLE_MS = 12 * 3_600_000;

type Done<Value = void> = (error?: unknown, value?: Value | null) => void;

/** express-session on our own table: ids are hashed there, and all sessions of a user can be ended. */
export class SessionStore extends Store {
  constructor(private readonly sessions: SessionService) {
    super();
  }

  override get(id: string, done: Done<SessionData>): void {
    answer<SessionData>(this.sessions.find(id) as Promise<SessionData | null>, done);
  }

  override set(id: string, session: SessionData, done: Done = () => undefined): void {
    // Without a user there is nothing to keep.
    if (session.userId === undefined) return done();
    answer(this.sessions.save(id, session, lifetimeMsOf(session)), done);
  }

  override destroy(id: string, done: Done = () => undefined): void {
    answer(this.sessions.end(id), done);
  }

  override touch(id: string, session: SessionData, done: Done = () => undefined): void {
    answer(this.sessions.prolong(id, lifetimeMsOf(session)), done);
  }
}

/** For requests behind which nobody may be: they do not prolong the session. */
export class UntouchedSessionStore extends SessionStore {
  override touch(_id: string, _session: SessionData, done: Done = () => undefined): void {
    done();
  }
}

export function lifetimeMsOf({ cookie }: Pick<SessionData, 'cookie'>): number {
  return cookie.originalMaxAge ?? 0;
}

function answer<Value>(work: Promise<Value | null>, done: Done<Value>): void {
  callbackify(() => work)(done);
}
