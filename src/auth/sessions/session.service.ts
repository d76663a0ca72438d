import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type Statement } from '../../database/sql';

const LIVE = `sessions s join users u on u.id = s.user_id
          where s.expires_at > now() and s.created_at > now() - interval '7 days'
            and s.epoch = u.session_epoch and u.disabled_at is null`;

const FIND: Statement = { name: 'session-find', text: `select s.data from ${LIVE} and s.key = $1` };
/** Only of the epoch in which the password was looked at. */
const START: Statement = {
  name: 'session-start',
  text: `insert into sessions (key, user_id, epoch, data, expires_at)
         select $1, id, session_epoch, $4::jsonb, now() + $5 * interval '1 millisecond' from users
          where id = $2 and session_epoch = $3 and disabled_at is null`,
};
/** Never an insert: a request that began before the session ended must not bring it back. */
const SAVE: Statement = {
  name: 'session-save',
  text: `update sessions set data = $2::jsonb, expires_at = now() + $3 * interval '1 millisecond' where key = $1`,
};
/** At most once a minute: a page that is looked at need not write. */
const PROLONG: Statement = {
  name: 'session-prolong',
  text: `update sessions set expires_at = now() + $2 * interval '1 millisecond'
          where key = $1 and expires_at < now() + $2 * interval '1 millisecond' - interval '1 minute'`,
};
const END: Statement = { name: 'session-end', text: 'delete from sessions where key = $1' };
const END_ALL: Statement = {
  name: 'session-end-all',
  text: `with raised as (update users set session_epoch = session_epoch + 1 where id = $1)
         delete from sessions where user_id = $1`,
};
const COUNT: Statement = {
  name: 'session-count',
  text: `select count(*)::integer as count from ${LIVE} and s.user_id = $1`,
};
const SWEEP: Statement = {
  name: 'session-sweep',
  text: `delete from sessions where expires_at < now() or created_at < now() - interval '7 days'`,
};
const READ_SECRET: Statement = { name: 'session-secret', text: 'select secret from session_secret' };

/** Somebody whose password was right, as of the user's session epoch then. */
export interface Identity {
  readonly userId: string;
  readonly email: string;
  readonly sessionEpoch: number;
}

/** Sessions of the panel, in the database and by its clock: ended there, they are ended on every instance. */
@Injectable()
export class SessionService {
  constructor(private readonly sql: Sql) {}

  async find(id: string): Promise<Record<string, unknown> | null> {
    return (await this.sql.row<{ data: Record<string, unknown> }>(FIND, [keyOf(id)]))?.data ?? null;
  }

  /** False when all sessions of the user were ended since the password was looked at. */
  async start(id: string, { userId, sessionEpoch }: Identity, data: object, lifetimeMs: number): Promise<boolean> {
    const values = [keyOf(id), userId, sessionEpoch, JSON.stringify(data), lifetimeMs];
    return (await this.sql.execute(START, values)) > 0;
  }

  /** A session that has ended meanwhile stays ended. */
  async save(id: string, data: object, lifetimeMs: number): Promise<void> {
    await this.sql.execute(SAVE, [keyOf(id), JSON.stringify(data), lifetimeMs]);
  }

  async prolong(id: string, lifetimeMs: number): Promise<void> {
    await this.sql.execute(PROLONG, [keyOf(id), lifetimeMs]);
  }

  async end(id: string): Promise<void> {
    await this.sql.execute(END, [keyOf(id)]);
  }

  /** Returns how many there were. */
  endAllOf(userId: string, session: Queryable = this.sql): Promise<number> {
    return session.execute(END_ALL, [userId]);
  }

  async countOf(userId: string): Promise<number> {
    return (await this.sql.row<{ count: number }>(COUNT, [userId]))!.count;
  }

  async sweep(): Promise<void> {
    await this.sql.execute(SWEEP);
  }

  async readSecret(): Promise<string> {
    return (await this.sql.row<{ secret: string }>(READ_SECRET))!.secret;
  }
}

function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
