import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { firstCharacters, storable } from '../../common/text';
import type { Queryable } from '../../database/sql';
import type { Identity } from '../../users/user-record';
import { type SessionOrigin, SessionRepository, type SessionView } from './session.repository';

export type { SessionOrigin, SessionView } from './session.repository';

/** Whoever has given the password within it is not asked again before what an open browser must not be enough for. */
const PASSWORD_VALID_MS = 10 * 60_000;
const LONGEST_BROWSER = 300;

/** Sessions of the panel, in the database and by its clock: one that ends there has ended on every instance. */
@Injectable()
export class SessionService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly auditLog: AuditLog,
  ) {}

  find(id: string): Promise<Record<string, unknown> | null> {
    return this.sessions.findData(keyOf(id));
  }

  /** False when all sessions of the user were ended since the password was verified, or the second factor was not given. */
  start(id: string, identity: Identity, data: object, lifetimeMs: number, origin: SessionOrigin): Promise<boolean> {
    const browser = storable(firstCharacters(origin.browser, LONGEST_BROWSER));
    return this.sessions.start(keyOf(id), identity, data, lifetimeMs, { ...origin, browser });
  }

  /** Whether the password was given in it within the last ten minutes. */
  isPasswordRecent(id: string): Promise<boolean> {
    return this.sessions.hasPasswordSince(keyOf(id), PASSWORD_VALID_MS);
  }

  notePassword(id: string): Promise<void> {
    return this.sessions.notePassword(keyOf(id));
  }

  /** The last seen first, with which of them is the one of this id. */
  async listOf(userId: string, id: string): Promise<(SessionView & { readonly isThis: boolean })[]> {
    const own = keyOf(id);
    return (await this.sessions.listOf(userId)).map((session) => ({ ...session, isThis: session.key === own }));
  }

  /** One of the user's own; false when there is none with this key. */
  async endOne(
    by: Operator,
    { id, email }: { readonly id: string; readonly email: string },
    key: string,
  ): Promise<boolean> {
    // Nothing was done, and a made-up key leaves no entry: the log is never cleared.
    if (!(await this.sessions.listOf(id)).some((session) => session.key === key)) return false;
    const act = { action: 'session.end', subject: userSubject(email) };
    return this.auditLog.record(by, act, async (tx) => {
      const result = await this.sessions.endOf(id, key, tx);
      return { result, after: { sessions_ended: result ? 1 : 0 } };
    });
  }

  /** All of the user's own. */
  endOwn(by: Operator, { id, email }: { readonly id: string; readonly email: string }): Promise<number> {
    const act = { action: 'session.end-all', subject: userSubject(email) };
    return this.auditLog.record(by, act, async (tx) => {
      const result = await this.sessions.endAllOf(id, tx);
      return { result, after: { sessions_ended: result } };
    });
  }

  /** A session that has ended meanwhile stays ended. */
  save(id: string, data: object, lifetimeMs: number): Promise<void> {
    return this.sessions.save(keyOf(id), data, lifetimeMs);
  }

  prolong(id: string, lifetimeMs: number): Promise<void> {
    return this.sessions.prolong(keyOf(id), lifetimeMs);
  }

  end(id: string): Promise<void> {
    return this.sessions.end(keyOf(id));
  }

  /** Returns how many there were. */
  endAllOf(userId: string, db?: Queryable): Promise<number> {
    return this.sessions.endAllOf(userId, db);
  }

  countOf(userId: string): Promise<number> {
    return this.sessions.countOf(userId);
  }

  sweep(): Promise<void> {
    return this.sessions.deleteEnded();
  }

  readSecret(): Promise<string> {
    return this.sessions.readSecret();
  }
}

/** Only the hash is stored: a copy of the database is no use for signing in. */
function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
