import { statement } from '../../database/statement';
import type { Payer } from '../../delegation/order.entity';
import { FREE_STATES, OPEN_STATES, sqlList } from '../../common/order.states';
import {
  ACTIVATIONS,
  beginOf,
  COUNT_LIST,
  type COUNTS,
  COUNTS_OF_ORDER,
  FIRST_OPEN_DAY,
  lateIds,
  SUMS,
} from './order-day.sql';

export type OrderCounts = Readonly<Record<(typeof COUNTS)[number], bigint>>;

/** By time, by customer, by payer and in all: what a row is not about is null. */
export interface ReportRow extends OrderCounts {
  readonly part: number;
  readonly at: Date | null;
  readonly user_id: string | null;
  readonly user: string | null;
  readonly paid_by: Payer | null;
  /** Of all rows alike: customers who ordered, and those of them who were charged. */
  readonly users: bigint;
  readonly charged_users: bigint;
}

/** Values of `part`: a bit for each of time, customer and payer that a row is not about. */
export const PART = { time: 0b011, user: 0b101, payer: 0b110, total: 0b111 } as const;

/** Customers that a report names; its file has all of them. */
const MOST_USERS = 20;

type ByDay = [from: string, to: string];
type Bounds = [...ByDay, userId: string];

/**
 * Of days that are closed, their sums, and each order that is late; of the others, each order. `hourly`: of a single day, order by order even when it is closed.
 * $1: the first UTC day, $2: the one after the last.
 */
const BOUNDS = (hourly: boolean) => `
    bounds as (
      select $1::date as first, $2::date as last,
             ${hourly ? '$1::date' : `greatest($1::date, coalesce(${FIRST_OPEN_DAY}, $1::date))`} as open
    )`;
const CLOSED_SUMS = `select ${beginOf('day')} as at, user_id, paid_by, ${COUNT_LIST} from order_days
       where day >= (select first from bounds) and day < (select least(last, open) from bounds)`;
const singleOrders = (hourly: boolean, ofUser: string) => `
      select date_trunc('day', d.created_at, 'UTC') as at, d.user_id, d.paid_by, ${COUNTS_OF_ORDER}
        from delegations d ${ACTIVATIONS}
       where d.id = ${lateIds('day >= (select first from bounds) and day < (select least(last, open) from bounds)')}
             ${ofUser.replace('user_id', 'd.user_id')}
      union all
      select date_trunc('${hourly ? 'hour' : 'day'}', d.created_at, 'UTC'), d.user_id, d.paid_by, ${COUNTS_OF_ORDER}
        from delegations d ${ACTIVATIONS}
       where d.created_at >= (select ${beginOf('open')} from bounds)
         and d.created_at < (select ${beginOf('last')} from bounds) ${ofUser.replace('user_id', 'd.user_id')}`;

const rows = (hourly: boolean, ofUser: string) => `${BOUNDS(hourly)}, counted as (
      ${CLOSED_SUMS} ${ofUser}
      union all ${singleOrders(hourly, ofUser)}
    )`;

const SUMMED = `summed as (
      select grouping(at, user_id, paid_by) as part, at, user_id, paid_by, ${SUMS}
        from counted group by grouping sets ((at), (user_id), (paid_by), ())
    )`;

/**
 * The same for all customers and any number of days: by time and payer of the totals of closed days, and by customer of the sums of whole
 * months that are closed, with the days before and after those.
 */
const SUMMED_OF_ALL = `${BOUNDS(false)}, ends as (
      select first, least(last, open) as closed, date_trunc('month', first + interval '1 month' - interval '1 day')::date as whole,
             date_trunc('month', least(last, open)::timestamp)::date as rest from bounds
    ), single as materialized (${singleOrders(false, '')}
    ), of_times as (
      select ${beginOf('day')} as at, paid_by, ${COUNT_LIST} from order_day_totals
       where day >= (select first from ends) and day < (select closed from ends)
      union all select at, paid_by, ${COUNT_LIST} from single
    ), of_users as (
      select user_id, ${COUNT_LIST} from order_months
       where month >= (select whole from ends) and month < (select rest from ends)
      union all select user_id, ${COUNT_LIST} from order_days
       where day >= (select first from ends) and day < (select least(whole, closed) from ends)
      union all select user_id, ${COUNT_LIST} from order_days
       where day >= (select greatest(whole, rest) from ends) and day < (select closed from ends)
      union all select user_id, ${COUNT_LIST} from single
    ), summed as (
      select case when grouping(at) = 0 then ${PART.time} when grouping(paid_by) = 0 then ${PART.payer} else ${PART.total} end as part,
             at, null::uuid as user_id, paid_by, ${SUMS}
        from of_times group by grouping sets ((at), (paid_by), ())
      union all
      select ${PART.user}, null, user_id, null, ${SUMS} from of_users group by user_id
    )`;

const report = (summed: string) => `with ${summed}, most as (
      select user_id from summed where part = ${PART.user} order by charged_sun desc, orders desc, user_id limit ${MOST_USERS}
    )
    select s.part, s.at, s.user_id, u.email as user, s.paid_by, ${COUNT_LIST},
           (select count(*) from summed where part = ${PART.user}) as users,
           (select count(*) from summed where part = ${PART.user} and charged_sun > 0) as charged_users
      from summed s left join users u on u.id = s.user_id
     where s.orders is not null and (s.part <> ${PART.user} or s.user_id in (select user_id from most))
     order by s.part, s.at, s.charged_sun desc, s.orders desc, s.user_id`;
const each = (hourly: boolean, ofUser = '') => report(`${rows(hourly, ofUser)}, ${SUMMED}`);

const OF_USER = 'and user_id = $3';
export const BY_DAY = statement<ByDay, ReportRow>('order_report_by_day', report(SUMMED_OF_ALL));
export const BY_HOUR = statement<ByDay, ReportRow>('order_report_by_hour', each(true));
export const BY_DAY_OF_USER = statement<Bounds, ReportRow>('order_report_by_day_of_user', each(false, OF_USER));
export const BY_HOUR_OF_USER = statement<Bounds, ReportRow>('order_report_by_hour_of_user', each(true, OF_USER));

export interface DayRow extends OrderCounts {
  readonly day: string;
  readonly user: string;
  readonly paid_by: Payer;
}

/** All of it, for a table calculation. */
export const EACH_DAY = statement<[day: string, next: string], DayRow>(
  'order_report_each_day',
  `with ${rows(false, '')}, summed as (
      select at, user_id, paid_by, ${SUMS} from counted group by at, user_id, paid_by
    )
    select (s.at at time zone 'utc')::date::text as day, u.email as user, s.paid_by, ${COUNT_LIST}
      from summed s join users u on u.id = s.user_id order by s.at, u.email, s.paid_by`,
);

/** An order that was answered with a failure. */
const FAILED = `answer = 'failure' and state in ${sqlList([...OPEN_STATES, ...FREE_STATES])}
       and created_at >= ${beginOf('$1::date')} and created_at < ${beginOf('$2::date')}`;
const lost = (ofUser = '') => `with lost as (
      select user_id, code, attempts as refused, 0 as failed from refused_attempt_days
       where day >= $1::date and day < $2::date ${ofUser}
      union all
      select user_id, coalesce(answer_code, 'INTERNAL'), 0, 1 from delegations where ${FAILED} ${ofUser}
    )`;

export interface LostByCode {
  readonly code: string;
  /** Attempts that never became an order. */
  readonly refused: bigint;
  /** Orders that were answered with a failure. */
  readonly failed: bigint;
}

export interface LostByUser extends LostByCode {
  readonly user_id: string;
  readonly user: string;
}

const BOTH = 'sum(refused)::bigint as refused, sum(failed)::bigint as failed';
const lostByCode = (ofUser = '') =>
  `${lost(ofUser)} select code, ${BOTH} from lost group by code order by sum(refused) + sum(failed) desc, code`;

export const LOST_BY_CODE = statement<ByDay, LostByCode>('order_report_lost_by_code', lostByCode());
export const LOST_BY_CODE_OF_USER = statement<Bounds, LostByCode>(
  'order_report_lost_by_code_of_user',
  lostByCode(OF_USER),
);
export const LOST_BY_USER = statement<[...ByDay, limit: number], LostByUser>(
  'order_report_lost_by_user',
  `${lost()}, most as (
      select user_id, code, ${BOTH} from lost group by user_id, code
       order by sum(refused) + sum(failed) desc, user_id, code limit $3
    )
    select most.user_id, u.email as user, most.code, most.refused, most.failed
      from most join users u on u.id = most.user_id
     order by most.refused + most.failed desc, u.email, most.code`,
);
