import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { firstCharacters, storable } from '../../common/text';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import type { Identity } from '../../users/user-record';
import { EntriesPerHour } from '../entries-per-hour';
import * as statements from './session.statements';
import type { SessionOrigin, SessionView } from './session.statements';

export type { SessionOrigin, SessionView } from './session.statements';

/** A user who has given the password within this time is not asked again before what an open browser must not be enough for. */
const PASSWORD_VALID_MS = 10 * 60_000;
/** A user goes back a few steps within a while; a session's row stays small. */
const MOST_ANSWERS = 8;
const ANSWERS_KEPT_MS = 30 * 60_000;
const LONGEST_BROWSER = 300;
/** Limit for a user at the same time: a program that signs in again and again fills no table. */
const MOST_SESSIONS = 20;

/** Sessions of the panel, in the database and by its clock: one that ends there has ended on every instance. Tables `sessions` and `session_secret`. */
@Injectable()
export class SessionService {
  constructor(
    private readonly sql: Sql,
    private readonly auditLog: AuditLog,
    private readonly entries: EntriesPerHour,
  ) {}

  async find(id: string): Promise<Record<string, unknown> | null> {
    return (await this.sql.row(statements.FIND, [keyOf(id)]))?.data ?? null;
  }

  /**
   * False when all sessions of the user were ended since the password was verified, or the second factor was not given. Of a user's
   * sessions the twentieth is the last: the one that was not seen for longest ends.
   */
  start(
    id: string,
    { userId, sessionEpoch }: Identity,
    data: object,
    lifetimeMs: number,
    { network, browser, secondFactor, passwordAt }: SessionOrigin,
  ): Promise<boolean> {
    const key = keyOf(id);
    const named = storable(firstCharacters(browser, LONGEST_BROWSER));
    const row = [key, userId, sessionEpoch, JSON.stringify(data), lifetimeMs] as const;
    return this.sql.transaction(async (tx) => {
      await tx.execute(statements.HOLD_USER, [userId]);
      const begun = (await tx.execute(statements.START, [...row, network, named, secondFactor, passwordAt])) > 0;
      if (begun) await tx.execute(statements.END_BEYOND, [userId, key, MOST_SESSIONS]);
      return begun;
    });
  }

  /**
   * False when it has ended. Until the transaction ends, nothing ends all sessions of this user: what does locks the user first, and so
   * does this.
   */
  async holdLive(id: string, userId: string, tx: SqlTransaction): Promise<boolean> {
    await tx.execute(statements.HOLD_USER, [userId]);
    return (await tx.row(statements.FIND, [keyOf(id)])) !== null;
  }

  /** Whether the password was given in it within the last ten minutes. */
  async isPasswordRecent(id: string): Promise<boolean> {
    return (await this.sql.row(statements.HAS_PASSWORD_SINCE, [keyOf(id), PASSWORD_VALID_MS]))!.recent;
  }

  /** When the password was given in it last; null once it has ended. */
  async passwordAt(id: string): Promise<Date | null> {
    return (await this.sql.row(statements.PASSWORD_AT, [keyOf(id)]))?.at ?? null;
  }

  async notePassword(id: string): Promise<void> {
    await this.sql.execute(statements.NOTE_PASSWORD, [keyOf(id)]);
  }

  /** What a form was answered with, sealed: the last few, for half an hour. False when the session has ended. */
  async keepAnswer(id: string, answerId: string, sealed: string): Promise<boolean> {
    const kept = [keyOf(id), answerId, sealed] as const;
    return (await this.sql.execute(statements.KEEP_ANSWER, [...kept, MOST_ANSWERS, ANSWERS_KEPT_MS])) > 0;
  }

  async findAnswer(id: string, answerId: string): Promise<string | null> {
    return (await this.sql.row(statements.FIND_ANSWER, [keyOf(id), answerId, ANSWERS_KEPT_MS]))?.sealed ?? null;
  }

  async dropAnswer(id: string, answerId: string): Promise<void> {
    await this.sql.execute(statements.DROP_ANSWER, [keyOf(id), answerId]);
  }

  /** The last seen first, at most 50, with which of them is the one of this id. */
  async listOf(userId: string, id: string): Promise<(SessionView & { readonly isThis: boolean })[]> {
    const own = keyOf(id);
    return (await this.sql.rows(statements.LIST, [userId])).map((session) => ({
      ...session,
      isThis: session.key === own,
    }));
  }

  /** One of the user's own; false when there is none with this key. */
  async endOne(
    by: Operator,
    { id, email }: { readonly id: string; readonly email: string },
    key: string,
  ): Promise<boolean> {
    // Nothing was done, and a made-up key leaves no entry: the log is never cleared.
    if (!(await this.sql.rows(statements.LIST, [id])).some((session) => session.key === key)) return false;
    const end = (tx: SqlTransaction) => tx.execute(statements.END_OF, [id, key]);
    return (await this.endRecorded(by, 'session.end', { id, email }, end)) > 0;
  }

  /** All of the user's own. */
  endOwn(by: Operator, { id, email }: { readonly id: string; readonly email: string }): Promise<number> {
    return this.endRecorded(by, 'session.end-all', { id, email }, (tx) => this.endAllOf(id, tx));
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
  async save(id: string, data: object, lifetimeMs: number): Promise<void> {
    await this.sql.execute(statements.SAVE, [keyOf(id), JSON.stringify(data), lifetimeMs]);
  }

  async prolong(id: string, lifetimeMs: number): Promise<void> {
    await this.sql.execute(statements.PROLONG, [keyOf(id), lifetimeMs]);
  }

  async end(id: string): Promise<void> {
    await this.sql.execute(statements.END, [keyOf(id)]);
  }

  /** Raises the user's session epoch; returns how many sessions there were. */
  endAllOf(userId: string, db: Queryable = this.sql): Promise<number> {
    return db.execute(statements.END_ALL, [userId]);
  }

  /** Ends the sessions of all users. Returns how many could still be used. */
  async endEverybodys(tx: SqlTransaction): Promise<number> {
    return (await tx.row(statements.END_EVERYBODYS))!.ended;
  }

  async countOf(userId: string): Promise<number> {
    return (await this.sql.row(statements.COUNT, [userId]))!.count;
  }

  async sweep(): Promise<void> {
    await this.sql.execute(statements.SWEEP);
  }

  async readSecret(): Promise<string> {
    return (await this.sql.row(statements.READ_SECRET))!.secret;
  }
}

/** Only the hash is stored: a copy of the database does not help to sign in. */
function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
