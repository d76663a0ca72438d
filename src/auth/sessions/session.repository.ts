import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Identity } from '../../users/user-record';

type Data = Record<string, unknown>;

const LIVE = `sessions s join users u on u.id = s.user_id
          where s.expires_at > now() and s.created_at > now() - interval '7 days'
            and s.epoch = u.session_epoch and u.disabled_at is null`;

const FIND = statement<[key: string], { data: Data }>('session_find', `select s.data from ${LIVE} and s.key = $1`);
/** What a session says of itself in the list of its user. */
export interface SessionOrigin {
  readonly network: string;
  /** As the browser calls itself. */
  readonly browser: string;
  /** Whether the second factor was given too. */
  readonly secondFactor: boolean;
  /** When the password was given; null: just now. */
  readonly passwordAt: Date | null;
}

export interface SessionView {
  /** The hash of its id: of no use for signing in. */
  readonly key: string;
  readonly network: string | null;
  readonly browser: string | null;
  readonly seenAt: Date | null;
  readonly createdAt: Date;
}

/** Only while the epoch is that in which the password was verified; and for no user with a second factor who did not give it. */
const START = statement<
  [
    key: string,
    userId: string,
    sessionEpoch: number,
    data: string,
    lifetimeMs: number,
    network: string,
    browser: string,
    secondFactor: boolean,
    passwordAt: Date | null,
  ]
>(
  'session_start',
  `insert into sessions (key, user_id, epoch, data, expires_at, network, browser, seen_at, password_at)
         select $1, id, session_epoch, $4::jsonb, now() + $5 * interval '1 millisecond', $6, $7, clock_timestamp(), coalesce($9, clock_timestamp())
           from users
          where id = $2 and session_epoch = $3 and disabled_at is null
            and ($8 or not exists (select from second_factors f where f.user_id = users.id))`,
);
/** When two begin together, the second sees the first; a transaction that ends all sessions locks the user first, too. */
const HOLD_USER = statement<[userId: string]>('session_hold_user', 'select from users where id = $1 for no key update');
/** Beside this one, those that were seen last stay. */
const END_BEYOND = statement<[userId: string, key: string, most: number]>(
  'session_end_beyond',
  `delete from sessions where key in (
           select key from sessions where user_id = $1 and key <> $2
            order by seen_at desc nulls last, created_at desc, key offset $3 - 1)`,
);
/** Never an insert: a request that began before the session ended must not bring it back. */
const SAVE = statement<[key: string, data: string, lifetimeMs: number]>(
  'session_save',
  `update sessions set data = $2::jsonb, expires_at = now() + $3 * interval '1 millisecond', seen_at = now() where key = $1`,
);
/** At most once a minute, so that not every page view writes. */
const PROLONG = statement<[key: string, lifetimeMs: number]>(
  'session_prolong',
  `update sessions set expires_at = now() + $2 * interval '1 millisecond', seen_at = now()
          where key = $1 and expires_at < now() + $2 * interval '1 millisecond' - interval '1 minute'`,
);
const END = statement<[key: string]>('session_end', 'delete from sessions where key = $1');
/** The user is locked first, as wherever several sessions end. */
const END_ALL = statement<[userId: string]>(
  'session_end_all',
  `with raised as (update users set session_epoch = session_epoch + 1 where id = $1 returning id)
         delete from sessions s using raised where s.user_id = raised.id`,
);
/** The epoch is raised as in `END_ALL`: a sign-in that is past its check, and commits its session after this, has begun one that is over. */
const END_EVERYBODYS = statement<[], { ended: number }>(
  'session_end_everybodys',
  `with raised as (update users set session_epoch = session_epoch + 1 returning id),
         ended as (delete from sessions s using raised where s.user_id = raised.id returning s.expires_at)
         select count(*)::integer as ended from ended where expires_at > now()`,
);
const END_OF = statement<[userId: string, key: string]>(
  'session_end_of',
  'delete from sessions where user_id = $1 and key = $2',
);
/** As of when the user's password was given: a stranger who finds the browser open has not given it. */
const HAS_PASSWORD_SINCE = statement<[key: string, ms: number], { recent: boolean }>(
  'session_password_since',
  `select exists (select from sessions where key = $1 and password_at > now() - $2 * interval '1 millisecond') as recent`,
);
const PASSWORD_AT = statement<[key: string], { at: Date | null }>(
  'session_password_at',
  'select password_at as at from sessions where key = $1',
);
const NOTE_PASSWORD = statement<[key: string]>(
  'session_note_password',
  'update sessions set password_at = now() where key = $1',
);
/** The newest first, so many and no more: one statement, so that two forms that are sent together both keep theirs. */
const KEEP_ANSWER = statement<[key: string, id: string, sealed: string, most: number, forMs: number]>(
  'session_keep_answer',
  `update sessions set answers = (
           select jsonb_agg(kept.answer order by kept.place)
             from (select answer, place
                     from jsonb_array_elements(
                            jsonb_build_array(jsonb_build_object('id', $2::text, 'at', now(), 'sealed', $3::text)) || answers
                          ) with ordinality as e (answer, place)
                    where (answer ->> 'at')::timestamptz > now() - $5 * interval '1 millisecond'
                    order by place limit $4) kept)
          where key = $1`,
);
const FIND_ANSWER = statement<[key: string, id: string, forMs: number], { sealed: string }>(
  'session_find_answer',
  `select answer ->> 'sealed' as sealed from sessions, jsonb_array_elements(answers) answer
          where key = $1 and answer ->> 'id' = $2 and (answer ->> 'at')::timestamptz > now() - $3 * interval '1 millisecond'`,
);
const DROP_ANSWER = statement<[key: string, id: string]>(
  'session_drop_answer',
  `update sessions set answers = (
           select coalesce(jsonb_agg(answer), '[]') from jsonb_array_elements(answers) answer where answer ->> 'id' <> $2)
          where key = $1`,
);
const LIST = statement<[userId: string], SessionView>(
  'session_list',
  `select s.key, s.network, s.browser, s.seen_at as "seenAt", s.created_at as "createdAt"
           from ${LIVE} and s.user_id = $1 order by s.seen_at desc nulls last, s.key limit 50`,
);
const COUNT = statement<[userId: string], { count: number }>(
  'session_count',
  `select count(*)::integer as count from ${LIVE} and s.user_id = $1`,
);
const SWEEP = statement(
  'session_sweep',
  `delete from sessions where expires_at < now() or created_at < now() - interval '7 days'`,
);
const READ_SECRET = statement<[], { secret: string }>('session_secret', 'select secret from session_secret');

/** Tables `sessions`, by the hash of their id, and `session_secret`. The database's clock decides what is live. */
@Injectable()
export class SessionRepository {
  constructor(private readonly sql: Sql) {}

  /** Whether it is live, and stays so until the transaction ends: what ends all sessions locks the user first, and so does this. */
  async holdLive(key: string, userId: string, tx: SqlTransaction): Promise<boolean> {
    await tx.execute(HOLD_USER, [userId]);
    return (await tx.row(FIND, [key])) !== null;
  }

  async findData(key: string): Promise<Data | null> {
    return (await this.sql.row(FIND, [key]))?.data ?? null;
  }

  /** False when all sessions of the user were ended since the password was verified. Those beyond `most` end. */
  async start(
    key: string,
    { userId, sessionEpoch }: Identity,
    data: object,
    lifetimeMs: number,
    { network, browser, secondFactor, passwordAt }: SessionOrigin,
    most: number,
  ): Promise<boolean> {
    const row = [key, userId, sessionEpoch, JSON.stringify(data), lifetimeMs] as const;
    return this.sql.transaction(async (tx) => {
      await tx.execute(HOLD_USER, [userId]);
      const begun = (await tx.execute(START, [...row, network, browser, secondFactor, passwordAt])) > 0;
      if (begun) await tx.execute(END_BEYOND, [userId, key, most]);
      return begun;
    });
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

  /** False when the user has no such session. */
  async endOf(userId: string, key: string, tx: SqlTransaction): Promise<boolean> {
    return (await tx.execute(END_OF, [userId, key])) > 0;
  }

  /** Ends the sessions of all users. Returns how many could still be used. */
  async endEverybodys(tx: SqlTransaction): Promise<number> {
    return (await tx.row(END_EVERYBODYS))!.ended;
  }

  async hasPasswordSince(key: string, ms: number): Promise<boolean> {
    return (await this.sql.row(HAS_PASSWORD_SINCE, [key, ms]))!.recent;
  }

  async passwordAt(key: string): Promise<Date | null> {
    return (await this.sql.row(PASSWORD_AT, [key]))?.at ?? null;
  }

  async notePassword(key: string): Promise<void> {
    await this.sql.execute(NOTE_PASSWORD, [key]);
  }

  /** False when the session has ended. */
  async keepAnswer(key: string, id: string, sealed: string, most: number, forMs: number): Promise<boolean> {
    return (await this.sql.execute(KEEP_ANSWER, [key, id, sealed, most, forMs])) > 0;
  }

  async findAnswer(key: string, id: string, forMs: number): Promise<string | null> {
    return (await this.sql.row(FIND_ANSWER, [key, id, forMs]))?.sealed ?? null;
  }

  async dropAnswer(key: string, id: string): Promise<void> {
    await this.sql.execute(DROP_ANSWER, [key, id]);
  }

  /** The last seen first, at most 50. */
  listOf(userId: string): Promise<SessionView[]> {
    return this.sql.rows(LIST, [userId]);
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
