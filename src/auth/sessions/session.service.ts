import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { firstCharacters, storable } from '../../common/text';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import type { Identity } from '../../users/user-record';
import { EntriesPerHour } from '../entries-per-hour';
import { type SessionOrigin, SessionRepository, type SessionView } from './session.repository';

export type { SessionOrigin, SessionView } from './session.repository';

/** A user who has given the password within this time is not asked again before what an open browser must not be enough for. */
const PASSWORD_VALID_MS = 10 * 60_000;
/** A user goes back a few steps within a while; a session's row stays small. */
const MOST_ANSWERS = 8;
const ANSWERS_KEPT_MS = 30 * 60_000;
const LONGEST_BROWSER = 300;
/** Limit for a user at the same time: a program that signs in again and again fills no table. */
const MOST_SESSIONS = 20;

/** Sessions of the panel, in the database and by its clock: one that ends there has ended on every instance. */
@Injectable()
export class SessionService {
  constructor(
    private readonly sql: Sql,
    private readonly sessions: SessionRepository,
    private readonly auditLog: AuditLog,
    private readonly entries: EntriesPerHour,
  ) {}

  find(id: string): Promise<Record<string, unknown> | null> {
    return this.sessions.findData(keyOf(id));
  }

  /**
   * False when all sessions of the user were ended since the password was verified, or the second factor was not given. Of a user's
   * sessions the twentieth is the last: the one that was not seen for longest ends.
   */
  start(id: string, identity: Identity, data: object, lifetimeMs: number, origin: SessionOrigin): Promise<boolean> {
    const browser = storable(firstCharacters(origin.browser, LONGEST_BROWSER));
    return this.sessions.start(keyOf(id), identity, data, lifetimeMs, { ...origin, browser }, MOST_SESSIONS);
  }

  /** False when it has ended. Until the transaction ends, nothing ends all sessions of this user. */
  holdLive(id: string, userId: string, tx: SqlTransaction): Promise<boolean> {
    return this.sessions.holdLive(keyOf(id), userId, tx);
  }

  /** Whether the password was given in it within the last ten minutes. */
  isPasswordRecent(id: string): Promise<boolean> {
    return this.sessions.hasPasswordSince(keyOf(id), PASSWORD_VALID_MS);
  }

  /** When the password was given in it last; null once it has ended. */
  passwordAt(id: string): Promise<Date | null> {
    return this.sessions.passwordAt(keyOf(id));
  }

  notePassword(id: string): Promise<void> {
    return this.sessions.notePassword(keyOf(id));
  }

  /** What a form was answered with, sealed: the last few, for half an hour. False when the session has ended. */
  keepAnswer(id: string, answerId: string, sealed: string): Promise<boolean> {
    return this.sessions.keepAnswer(keyOf(id), answerId, sealed, MOST_ANSWERS, ANSWERS_KEPT_MS);
  }

  findAnswer(id: string, answerId: string): Promise<string | null> {
    return this.sessions.findAnswer(keyOf(id), answerId, ANSWERS_KEPT_MS);
  }

  dropAnswer(id: string, answerId: string): Promise<void> {
    return this.sessions.dropAnswer(keyOf(id), answerId);
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
    const end = async (tx: SqlTransaction) => ((await this.sessions.endOf(id, key, tx)) ? 1 : 0);
    return (await this.endRecorded(by, 'session.end', { id, email }, end)) > 0;
  }

  /** All of the user's own. */
  endOwn(by: Operator, { id, email }: { readonly id: string; readonly email: string }): Promise<number> {
    return this.endRecorded(by, 'session.end-all', { id, email }, (tx) => this.sessions.endAllOf(id, tx));
  }

  /** Sessions can be ended as often as somebody signs in: it is never refused, and the log has the first few of an hour. */
  private async endRecorded(
    by: Operator,
    action: string,
    { id, email }: { readonly id: string; readonly email: string },
    end: (tx: SqlTransaction) => Promise<number>,
  ): Promise<number> {
    const left = await this.entries.take('session-log', id);
    if (left === null) return this.sql.transaction(end);

    return this.auditLog.record(by, { action, subject: userSubject(email) }, async (tx) => {
      const result = await end(tx);
      const after = { sessions_ended: result, ...(left === 0 && { further: 'none of this user for an hour' }) };
      return { result, after };
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

  /** Ends the sessions of all users. Returns how many could still be used. */
  endEverybodys(tx: SqlTransaction): Promise<number> {
    return this.sessions.endEverybodys(tx);
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

/** Only the hash is stored: a copy of the database does not help to sign in. */
function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
