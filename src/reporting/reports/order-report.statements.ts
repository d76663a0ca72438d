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
  /** All rows have the same: customers who ordered, and those of them who were charged. */
  readonly users: bigint;
  readonly charged_users: bigint;
}

/** Values of `part`: a bit for each of time, customer and payer that a row is not about. */
export const PART = { time: 0b011, user: 0b101, payer: 0b110, total: 0b111 } as const;

/** Customers that a report names; its file has all of them. */
const MOST_USERS = 20;

const BAR_SUMS = ['orders', 'succeeded', 'failed', 'charged_sun']
  .map((count) => `sum(${count})::bigint as ${count}`)
  .join(', ');

type Range = [from: Date, to: Date];
type RangeOfUser = [...Range, userId: string];

/**
 * $1: the range's first moment, $2: the first one behind it, of any zone's days. `closed`: the UTC days [first, open) that are closed and
 * wholly inside it. Those come from their sums; what lies before and behind them, two days at most but for those that are open, from its orders.
 */
const BOUNDS = `
    whole as (
      select (($1::timestamptz + interval '1 day' - interval '1 microsecond') at time zone 'utc')::date as first,
             ($2::timestamptz at time zone 'utc')::date as last
    ), bounds as (
      select first, greatest(first, least(last, coalesce(${FIRST_OPEN_DAY}, first))) as open from whole
    )`;
const IN_CLOSED = 'day >= (select first from bounds) and day < (select open from bounds)';
const CLOSED_SUMS = `select ${beginOf('day')} as at, user_id, paid_by, ${COUNT_LIST} from order_days
       where ${IN_CLOSED}`;

/** Orders one by one; `at`: where the bar begins that each is counted in. */
const ordersOf = (at: string, where: string, ofUser: string) => `
      select ${at} as at, d.user_id, d.paid_by, ${COUNTS_OF_ORDER}
        from delegations d ${ACTIVATIONS}
       where ${where} ${ofUser.replace('user_id', 'd.user_id')}`;
const UTC_DAY = `date_trunc('day', d.created_at, 'UTC')`;
const singleOrders = (ofUser: string) =>
  [
    `d.id = ${lateIds(IN_CLOSED)}`,
    `d.created_at >= $1::timestamptz and d.created_at < (select least($2::timestamptz, ${beginOf('first')}) from bounds)`,
    `d.created_at >= (select ${beginOf('open')} from bounds) and d.created_at < $2::timestamptz`,
  ]
    .map((where) => ordersOf(UTC_DAY, where, ofUser))
    .join(' union all ');

const rows = (ofUser: string) => `${BOUNDS}, counted as (
      ${CLOSED_SUMS} ${ofUser}
      union all ${singleOrders(ofUser)}
    )`;
/** From the range's first moment on, each hour of it: of any offset from UTC, however long the day is. */
const hours = (ofUser: string) =>
  `counted as (${ordersOf(
    `date_bin('1 hour', d.created_at, $1::timestamptz)`,
    'd.created_at >= $1::timestamptz and d.created_at < $2::timestamptz',
    ofUser,
  )})`;

const SUMMED = `summed as (
      select grouping(at, user_id, paid_by) as part, at, user_id, paid_by, ${SUMS}
        from counted group by grouping sets ((at), (user_id), (paid_by), ())
    )`;

/**
 * The same for all customers and any number of days: by time and payer of the totals of closed days, and by customer of the sums of whole
 * months that are closed, with the days before and after those.
 */
const SUMMED_OF_ALL = `${BOUNDS}, ends as (
      select first, open as closed, date_trunc('month', first + interval '1 month' - interval '1 day')::date as whole,
             date_trunc('month', open::timestamp)::date as rest from bounds
    ), single as materialized (${singleOrders('')}
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
const each = (counted: string) => report(`${counted}, ${SUMMED}`);

const OF_USER = 'and user_id = $3';
export const BY_DAY = statement<Range, ReportRow>('order_report_by_day', report(SUMMED_OF_ALL));
export const BY_HOUR = statement<Range, ReportRow>('order_report_by_hour', each(hours('')));
export const BY_DAY_OF_USER = statement<RangeOfUser, ReportRow>('order_report_by_day_of_user', each(rows(OF_USER)));
export const BY_HOUR_OF_USER = statement<RangeOfUser, ReportRow>('order_report_by_hour_of_user', each(hours(OF_USER)));

export interface BarRow {
  readonly at: Date;
  readonly orders: bigint;
  readonly succeeded: bigint;
  readonly failed: bigint;
  readonly charged_sun: bigint;
}
type Bars = [...Range, begins: readonly Date[]];
type BarsOfUser = [...Bars, userId: string];

/** Order by order, from one of the moments $3 to the next: days of a zone are not all equally long. */
const byBar = (ofUser = '') => `
  select ($3::timestamptz[])[o.bar] as at, ${BAR_SUMS}
    from (select width_bucket(d.created_at, $3::timestamptz[]) as bar, ${COUNTS_OF_ORDER}
            from delegations d cross join (select 0 as activations, 0 as activated_sun) a
           where d.created_at >= $1::timestamptz and d.created_at < $2::timestamptz ${ofUser}) o
   group by o.bar`;
export const BY_BAR = statement<Bars, BarRow>('order_report_by_bar', byBar());
export const BY_BAR_OF_USER = statement<BarsOfUser, BarRow>('order_report_by_bar_of_user', byBar('and d.user_id = $4'));

export interface CustomerRow extends OrderCounts {
  readonly user: string;
  readonly paid_by: Payer;
}

/** All of it, for a table calculation. */
export const EACH_CUSTOMER = statement<Range, CustomerRow>(
  'order_report_each_customer',
  `with ${rows('')}, summed as (
      select user_id, paid_by, ${SUMS} from counted group by user_id, paid_by
    )
    select u.email as user, s.paid_by, ${COUNT_LIST}
      from summed s join users u on u.id = s.user_id order by u.email, s.paid_by`,
);

/** An order that was answered with a failure. */
const FAILED = `answer = 'failure' and state in ${sqlList([...OPEN_STATES, ...FREE_STATES])}
       and created_at >= $1::timestamptz and created_at < $2::timestamptz`;
/** Refused attempts are kept by the UTC day alone: each day that the range touches. */
const lost = (ofUser = '') => `with lost as (
      select user_id, code, attempts as refused, 0 as failed from refused_attempt_days
       where day >= ($1::timestamptz at time zone 'utc')::date
         and day <= (($2::timestamptz - interval '1 microsecond') at time zone 'utc')::date ${ofUser}
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

export const LOST_BY_CODE = statement<Range, LostByCode>('order_report_lost_by_code', lostByCode());
export const LOST_BY_CODE_OF_USER = statement<RangeOfUser, LostByCode>(
  'order_report_lost_by_code_of_user',
  lostByCode(OF_USER),
);
export const LOST_BY_USER = statement<[...Range, limit: number], LostByUser>(
  'order_report_lost_by_user',
  `${lost()}, most as (
      select user_id, code, ${BOTH} from lost group by user_id, code
       order by sum(refused) + sum(failed) desc, user_id, code limit $3
    )
    select most.user_id, u.email as user, most.code, most.refused, most.failed
      from most join users u on u.id = most.user_id
     order by most.refused + most.failed desc, u.email, most.code`,
);
