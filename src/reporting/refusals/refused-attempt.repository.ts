import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { utcMicroseconds } from '../../database/utc-timestamp';
import { SERVICE_FAILURE_LIST } from '../service-record/service-day.sql';

/** As the statement reads them from JSON. */
export interface CountedAttempts {
  readonly day: string;
  readonly user_id: string;
  readonly code: string;
  readonly attempts: number;
}

export interface AttemptDetail {
  readonly user_id: string;
  readonly token_id: string | null;
  readonly first_at: string;
  readonly last_at: string;
  readonly times: number;
  readonly code: string;
  readonly fields: readonly string[] | null;
  readonly receiver: string | null;
  readonly amount: string | null;
  readonly request_id: string | null;
}

/** The first and the last of equal attempts that came together. */
export interface RefusedAttemptView {
  readonly id: bigint;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly times: bigint;
  readonly code: string;
  readonly fields: string[] | null;
  readonly receiver: string | null;
  readonly amount: string | null;
  readonly token: string | null;
  readonly requestId: string | null;
}

export interface AttemptOfUser extends RefusedAttemptView {
  readonly userId: string;
  readonly user: string;
}

/** UTC days, the second one not included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface RefusedOfUser {
  readonly id: bigint;
  readonly day: string;
  readonly userId: string;
  readonly user: string;
  readonly code: string;
  readonly attempts: bigint;
}

/** Rows of its own that a customer has at most; a write may add a few before the next one deletes them. */
const KEPT_OF_USER = 200;
const DELETED_AT_ONCE = 5_000;

/**
 * $1: counts, $2: details, as JSON. What the service is to blame for is in its day's record too, which outlasts the rows. In one order everywhere, so that instances that write together wait for each other in no circle;
 * what another one deletes is left to it.
 */
const ADD = statement<[counts: string, details: string]>(
  'refused_attempts_add',
  `with counted as (
      insert into refused_attempt_days as d (day, user_id, code, attempts)
      select day, user_id, code, attempts
        from json_to_recordset($1::json) as c (day date, user_id uuid, code text, attempts bigint)
       order by day, user_id, code
      on conflict (day, user_id, code) do update set attempts = d.attempts + excluded.attempts
    ), refused as (
      insert into service_days as s (day, refused)
      select day, sum(attempts) from json_to_recordset($1::json) as c (day date, code text, attempts bigint)
       where code in ${SERVICE_FAILURE_LIST} group by day order by day
      on conflict (day) do update set refused = s.refused + excluded.refused
    ), detail as (
      select user_id, token_id, first_at, last_at, times, code, fields, receiver, amount, request_id
        from json_to_recordset($2::json)
          as a (user_id uuid, token_id uuid, first_at timestamptz, last_at timestamptz, times bigint, code text, fields text[],
                receiver text, amount text, request_id text)
    ), added as (
      insert into refused_attempts (user_id, token_id, first_at, last_at, times, code, fields, receiver, amount, request_id)
      select user_id, token_id, first_at, last_at, times, code, fields, receiver, amount, request_id
        from detail order by last_at
    )
    delete from refused_attempts where id = any(array(
      select r.id from (select distinct user_id from detail) u, lateral (
        select a.id from refused_attempts a where a.user_id = u.user_id order by a.id desc offset ${KEPT_OF_USER}
      ) old, lateral (select id from refused_attempts where id = old.id for update skip locked) r
    ))`,
);

const ATTEMPT = `r.id, ${utcMicroseconds('r.first_at')} as "firstAt", ${utcMicroseconds('r.last_at')} as "lastAt", r.times, r.code, r.fields,
          r.receiver, r.amount, t.name as token, r.request_id as "requestId"`;
const LIST = statement<
  [userId: string, before: bigint | null, from: Date | null, to: Date | null, limit: number],
  RefusedAttemptView
>(
  'refused_attempts_list',
  `select ${ATTEMPT}
     from refused_attempts r left join api_tokens t on t.id = r.token_id
    where r.user_id = $1 and r.id < coalesce($2::bigint, 9223372036854775807)
      and ($3::timestamptz is null or r.last_at >= $3) and ($4::timestamptz is null or r.last_at < $4)
    order by r.id desc limit $5`,
);

/** Looks through the newest attempts alone. */
const OF_REQUEST = statement<[requestId: string, userId: string | null], AttemptOfUser>(
  'search_request',
  `select ${ATTEMPT}, r.user_id as "userId", u.email as user
     from refused_attempts r join users u on u.id = r.user_id left join api_tokens t on t.id = r.token_id
    where r.request_id = $1 and ($2::uuid is null or r.user_id = $2) order by r.id desc limit 20`,
);

const BY_DAY = statement<[from: string, to: string, userId: string | null], { day: string; attempts: bigint }>(
  'refused_attempts_by_day',
  `select day::text as day, sum(attempts)::bigint as attempts from refused_attempt_days
    where day >= $1::date and day < $2::date and ($3::uuid is null or user_id = $3) group by day`,
);
const DAYS = statement<[from: string, to: string, after: bigint, limit: number], RefusedOfUser>(
  'refused_attempts_days',
  `select r.id, r.day::text as day, r.user_id as "userId", u.email as user, r.code, r.attempts
     from refused_attempt_days r join users u on u.id = r.user_id
    where r.day >= $1::date and r.day < $2::date and r.id > $3::bigint
    order by r.id limit $4`,
);

const DELETE_OLD_DAYS = statement<[retainMs: number]>(
  'refused_attempts_delete_old_days',
  `delete from refused_attempt_days where id = any(array(
     select id from refused_attempt_days where day < ((now() - $1 * interval '1 millisecond') at time zone 'utc')::date
      order by day limit ${DELETED_AT_ONCE} for update skip locked))`,
);
const DELETE_OLD = statement<[retainMs: number]>(
  'refused_attempts_delete_old',
  `delete from refused_attempts where id = any(array(
     select id from refused_attempts where last_at < now() - $1 * interval '1 millisecond'
      order by last_at limit ${DELETED_AT_ONCE} for update skip locked))`,
);

/** The tables `refused_attempts` and `refused_attempt_days`. */
@Injectable()
export class RefusedAttemptRepository {
  constructor(private readonly sql: Sql) {}

  /** Whose attempt a request was; null: of everybody. */
  ofRequest(requestId: string, userId: string | null): Promise<AttemptOfUser[]> {
    return this.sql.rows(OF_REQUEST, [requestId, userId]);
  }

  /** One statement: all of it or nothing. */
  async add(counts: readonly CountedAttempts[], details: readonly AttemptDetail[]): Promise<void> {
    await this.sql.execute(ADD, [JSON.stringify(counts), JSON.stringify(details)]);
  }

  /** One customer's attempts, newest first. */
  list(
    userId: string,
    page: { before: bigint | null; from: Date | null; to: Date | null; limit: number },
  ): Promise<RefusedAttemptView[]> {
    return this.sql.rows(LIST, [userId, page.before, page.from, page.to, page.limit]);
  }

  async byDay({ from, to }: Days, userId: string | null = null): Promise<Map<string, bigint>> {
    return new Map((await this.sql.rows(BY_DAY, [from, to, userId])).map(({ day, attempts }) => [day, attempts]));
  }

  /** All of it by day, a batch at a time. */
  days({ from, to }: Days, after: bigint, limit: number): Promise<RefusedOfUser[]> {
    return this.sql.rows(DAYS, [from, to, after, limit]);
  }

  /** Older than `retainMs`. */
  async deleteOld(retainMs: number): Promise<void> {
    for (const old of [DELETE_OLD_DAYS, DELETE_OLD]) {
      while ((await this.sql.execute(old, [retainMs])) === DELETED_AT_ONCE);
    }
  }
}
