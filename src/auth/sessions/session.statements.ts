import { statement } from '../../database/statement';
import { AHEAD } from '../link-times.sql';

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

/** One that begins later than now was begun while the database's clock was ahead, and would live longer by as much. */
const isOfItsDays = (createdAt: string) => `${createdAt} between now() - interval '7 days' and now() + ${AHEAD}`;
const LIVE = `sessions s join users u on u.id = s.user_id
          where s.expires_at > now() and ${isOfItsDays('s.created_at')}
            and s.epoch = u.session_epoch and u.disabled_at is null`;

export const FIND = statement<[key: string], { data: Record<string, unknown> }>(
  'session_find',
  `select s.data from ${LIVE} and s.key = $1`,
);
/** Only while the epoch is that in which the password was verified; and for no user with a second factor who did not give it. */
export const START = statement<
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
export const HOLD_USER = statement<[userId: string]>(
  'session_hold_user',
  'select from users where id = $1 for no key update',
);
/** Besides this one, those that were seen last stay. */
export const END_BEYOND = statement<[userId: string, key: string, most: number]>(
  'session_end_beyond',
  `delete from sessions where key in (
           select key from sessions where user_id = $1 and key <> $2
            order by seen_at desc nulls last, created_at desc, key offset $3 - 1)`,
);
/** Never an insert: a request that began before the session ended must not bring it back. */
export const SAVE = statement<[key: string, data: string, lifetimeMs: number]>(
  'session_save',
  `update sessions set data = $2::jsonb, expires_at = now() + $3 * interval '1 millisecond', seen_at = now() where key = $1`,
);
/** At most once a minute, so that not every page view writes. */
export const PROLONG = statement<[key: string, lifetimeMs: number]>(
  'session_prolong',
  `update sessions set expires_at = now() + $2 * interval '1 millisecond', seen_at = now()
          where key = $1 and expires_at < now() + $2 * interval '1 millisecond' - interval '1 minute'`,
);
export const END = statement<[key: string]>('session_end', 'delete from sessions where key = $1');
/** The user is locked first, as wherever several sessions end. */
export const END_ALL = statement<[userId: string]>(
  'session_end_all',
  `with raised as (update users set session_epoch = session_epoch + 1 where id = $1 returning id)
         delete from sessions s using raised where s.user_id = raised.id`,
);
/** The epoch is raised as in `END_ALL`: a sign-in that is past its check, and commits its session after this, has begun one that is over. */
export const END_EVERYBODYS = statement<[], { ended: number }>(
  'session_end_everybodys',
  `with raised as (update users set session_epoch = session_epoch + 1 returning id),
         ended as (delete from sessions s using raised where s.user_id = raised.id returning s.expires_at)
         select count(*)::integer as ended from ended where expires_at > now()`,
);
export const END_OF = statement<[userId: string, key: string]>(
  'session_end_of',
  'delete from sessions where user_id = $1 and key = $2',
);
/** As of when the user's password was given: a stranger who finds the browser open has not given it. */
export const HAS_PASSWORD_SINCE = statement<[key: string, ms: number], { recent: boolean }>(
  'session_password_since',
  `select exists (select from sessions where key = $1 and password_at between now() - $2 * interval '1 millisecond' and now() + ${AHEAD}) as recent`,
);
export const PASSWORD_AT = statement<[key: string], { at: Date | null }>(
  'session_password_at',
  'select password_at as at from sessions where key = $1',
);
export const NOTE_PASSWORD = statement<[key: string]>(
  'session_note_password',
  'update sessions set password_at = now() where key = $1',
);
/** The newest first, so many and no more: one statement, so that two forms that are sent together both keep theirs. */
export const KEEP_ANSWER = statement<[key: string, id: string, sealed: string, most: number, forMs: number]>(
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
export const FIND_ANSWER = statement<[key: string, id: string, forMs: number], { sealed: string }>(
  'session_find_answer',
  `select answer ->> 'sealed' as sealed from sessions, jsonb_array_elements(answers) answer
          where key = $1 and answer ->> 'id' = $2 and (answer ->> 'at')::timestamptz > now() - $3 * interval '1 millisecond'`,
);
export const DROP_ANSWER = statement<[key: string, id: string]>(
  'session_drop_answer',
  `update sessions set answers = (
           select coalesce(jsonb_agg(answer), '[]') from jsonb_array_elements(answers) answer where answer ->> 'id' <> $2)
          where key = $1`,
);
export const LIST = statement<[userId: string], SessionView>(
  'session_list',
  `select s.key, s.network, s.browser, s.seen_at as "seenAt", s.created_at as "createdAt"
           from ${LIVE} and s.user_id = $1 order by s.seen_at desc nulls last, s.key limit 50`,
);
export const COUNT = statement<[userId: string], { count: number }>(
  'session_count',
  `select count(*)::integer as count from ${LIVE} and s.user_id = $1`,
);
export const SWEEP = statement(
  'session_sweep',
  `delete from sessions where expires_at < now() or not (${isOfItsDays('created_at')})`,
);
export const READ_SECRET = statement<[], { secret: string }>('session_secret', 'select secret from session_secret');
