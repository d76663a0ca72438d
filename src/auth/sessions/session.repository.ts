import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Identity } from '../../users/user-record';

type Data = Record<string, unknown>;

const LIVE = `sessions s join users u on u.id = s.user_id
          where s.expires_at > now() and s.created_at > now() - interval '7 days'
            and s.epoch = u.session_epoch and u.disabled_at is null`;

const FIND = statement<[key: string], { data: Data }>('session-find', `select s.data from ${LIVE} and s.key = $1`);
/** Only while the epoch is that in which the password was verified. */
const START = statement<[key: string, userId: string, sessionEpoch: number, data: string, lifetimeMs: number]>(
  'session-start',
  `insert into sessions (key, user_id, epoch, data, expires_at)
         select $1, id, session_epoch, $4::jsonb, now() + $5 * interval '1 millisecond' from users
          where id = $2 and session_epoch = $3 and disabled_at is null`,
);
/** Never an insert: a request that began before the session ended must not bring it back. */
const SAVE = statement<[key: string, data: string, lifetimeMs: number]>(
  'session-save',
  `update sessions set data = $2::jsonb, expires_at = now() + $3 * interval '1 millisecond' where key = $1`,
);
/** At most once a minute, so that not every page view writes. */
const PROLONG = statement<[key: string, lifetimeMs: number]>(
  'session-prolong',
  `update sessions set expires_at = now() + $2 * interval '1 millisecond'
          where key = $1 and expires_at < now() + $2 * interval '1 millisecond' - interval '1 minute'`,
);
const END = statement<[key: string]>('session-end', 'delete from sessions where key = $1');
const END_ALL = statement<[userId: string]>(
  'session-end-all',
  `with raised as (update users set session_epoch = session_epoch + 1 where id = $1)
         delete from sessions where user_id = $1`,
);
const COUNT = statement<[userId: string], { count: number }>(
  'session-count',
  `select count(*)::integer as count from ${LIVE} and s.user_id = $1`,
);
const SWEEP = statement(
  'session-sweep',
  `delete from sessions where expires_at < now() or created_at < now() - interval '7 days'`,
);
const READ_SECRET = statement<[], { secret: string }>('session-secret', 'select secret from session_secret');

/** Tables `sessions`, by the hash of their id, and `session_secret`. The database's clock decides what is live. */
@Injectable()
export class SessionRepository {
  constructor(private readonly sql: Sql) {}

  async findData(key: string): Promise<Data | null> {
    return (await this.sql.row(FIND, [key]))?.data ?? null;
  }

  /** False when all sessions of the user were ended since the password was verified. */
  async start(key: string, { userId, sessionEpoch }: Identity, data: object, lifetimeMs: number): Promise<boolean> {
    return (await this.sql.execute(START, [key, userId, sessionEpoch, JSON.stringify(data), lifetimeMs])) > 0;
  }

  async save(key: string, data: object, lifetimeMs: number): Promise<void> {
    await this.sql.execute(SAVE, [key, JSON.stringify(data), lifetimeMs]);
  }

  async prolong(key: string, lifetimeMs: number): Promise<void> {
    await this.sql.execute(PROLONG, [key, lifetimeMs]);
  }

  async end(key: string): Promise<void> {
    await this.sql.execute(END, [key]);
  }

  /** Raises the user's session epoch; returns how many sessions there were. */
  endAllOf(userId: string, db: Queryable = this.sql): Promise<number> {
    return db.execute(END_ALL, [userId]);
  }

  async countOf(userId: string): Promise<number> {
    return (await this.sql.row(COUNT, [userId]))!.count;
  }

  async deleteEnded(): Promise<void> {
    await this.sql.execute(SWEEP);
  }

  async readSecret(): Promise<string> {
    return (await this.sql.row(READ_SECRET))!.secret;
  }
}
