import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type Statement } from '../../database/sql';

const LIVE = `s.key = $1 and s.expires_at > now() and s.created_at > now() - interval '7 days' and u.disabled_at is null`;

const FIND: Statement = {
  name: 'session-find',
  text: `select s.data from sessions s join users u on u.id = s.user_id where ${LIVE}`,
};
const SAVE: Statement = {
  name: 'session-save',
  text: `insert into sessions (key, user_id, data, expires_at) values ($1, $2, $3::jsonb, $4)
         on conflict (key) do update set data = excluded.data, expires_at = excluded.expires_at
          where sessions.user_id = excluded.user_id`,
};
/** At most once a minute: a page that is looked at need not write. */
const PROLONG: Statement = {
  name: 'session-prolong',
  text: `update sessions set expires_at = $2 where key = $1 and expires_at < $2::timestamptz - interval '1 minute'`,
};
const END: Statement = { name: 'session-end', text: 'delete from sessions where key = $1' };
const END_ALL: Statement = { name: 'session-end-all', text: 'delete from sessions where user_id = $1' };
const COUNT: Statement = {
  name: 'session-count',
  text: `select count(*)::integer as count from sessions where user_id = $1 and expires_at > now()`,
};
const SWEEP: Statement = {
  name: 'session-sweep',
  text: `delete from sessions where expires_at < now() or created_at < now() - interval '7 days'`,
};
const READ_SECRET: Statement = { name: 'session-secret', text: 'select secret from session_secret' };

/** Sessions of the panel, in the database: ended there, they are ended on every instance. */
@Injectable()
export class SessionService {
  constructor(private readonly sql: Sql) {}

  async find(id: string): Promise<Record<string, unknown> | null> {
    return (await this.sql.row<{ data: Record<string, unknown> }>(FIND, [keyOf(id)]))?.data ?? null;
  }

  async save(id: string, userId: string, data: object, expiresAt: Date): Promise<void> {
    await this.sql.execute(SAVE, [keyOf(id), userId, JSON.stringify(data), expiresAt]);
  }

  async prolong(id: string, expiresAt: Date): Promise<void> {
    await this.sql.execute(PROLONG, [keyOf(id), expiresAt]);
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
