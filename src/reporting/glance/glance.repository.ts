import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { DAILY, RUNS_DRY } from '../reports/running-dry.sql';
import { CHARGED } from '../reports/spending.sql';

/** A glance names so many customers, and counts the others. */
const MOST_NAMED = 5;
/** A customer who ordered on so many of the days before, and not in the last ones, has gone quiet. */
const STEADY_DAYS = 5;
const OF_DAYS = 14;
const QUIET_DAYS = 3;

export interface GlanceMoney {
  /** Charged for the orders of the last 24 hours. */
  readonly chargedSun: bigint;
  /** The same a week before. */
  readonly chargedLastWeekSun: bigint;
  /** Credits and deposits of the last 24 hours. */
  readonly paidInSun: bigint;
  readonly payments: number;
  /** What customers can still spend or have back. */
  readonly owedSun: bigint;
  readonly owedTo: number;
}

interface Named {
  readonly id: string;
  readonly email: string;
  /** How many there are in all. */
  readonly all: number;
}

export interface DryCustomer extends Named {
  readonly availableSun: bigint;
  readonly aDaySun: bigint;
}

export interface QuietCustomer extends Named {
  readonly lastOrderAt: Date;
}

const chargedOf = (from: string, to: string) => `(select coalesce(sum(d.cost_sun), 0)::bigint from delegations d
             where d.created_at >= now() - interval '${from}' and d.created_at < now() - interval '${to}' and ${CHARGED})`;

const MONEY = statement<[], GlanceMoney>(
  'glance_money',
  `select ${chargedOf('1 day', '0')} as "chargedSun", ${chargedOf('8 days', '7 days')} as "chargedLastWeekSun",
          paid.sun as "paidInSun", paid.payments, owed.sun as "owedSun", owed.customers as "owedTo"
     from (select coalesce(sum(amount_sun), 0)::bigint as sun, count(*)::integer as payments from ledger_entries
            where at >= now() - interval '1 day' and at < 'infinity' and kind in ('credit', 'deposit')) paid,
          (select coalesce(sum(balance_sun), 0)::bigint as sun, count(*)::integer as customers from accounts where balance_sun > 0) owed`,
);

const DRY = statement<[], DryCustomer>(
  'glance_dry',
  `with daily as (${DAILY})
   select u.id, u.email, a.balance_sun - a.held_sun as "availableSun", ceil(daily.sun)::bigint as "aDaySun",
          (count(*) over ())::integer as all
     from daily join accounts a on a.user_id = daily.user_id join users u on u.id = daily.user_id
    where u.disabled_at is null and ${RUNS_DRY}
    order by (a.balance_sun - a.held_sun) / daily.sun, u.id limit ${MOST_NAMED}`,
);

const TODAY = `(now() at time zone 'utc')::date`;
const LAST_ORDER = '(select max(d.created_at) from delegations d where d.user_id = u.id)';
/** Those who brought most first. */
const QUIET = statement<[], QuietCustomer>(
  'glance_quiet',
  `with steady as (
     select user_id, sum(charged_sun) as sun from order_days
      where day >= ${TODAY} - ${OF_DAYS + QUIET_DAYS} and day < ${TODAY} - ${QUIET_DAYS}
      group by user_id having count(distinct day) >= ${STEADY_DAYS}
   ), quiet as (
     select u.id, u.email, s.sun, ${LAST_ORDER} as at from steady s join users u on u.id = s.user_id where u.disabled_at is null
   )
   select id, email, at as "lastOrderAt", (count(*) over ())::integer as all
     from quiet where at < now() - interval '${QUIET_DAYS} days'
    order by sun desc, id limit ${MOST_NAMED}`,
);

/** What an owner asks in the morning about money and customers. */
@Injectable()
export class GlanceRepository {
  constructor(private readonly sql: Sql) {}

  async money(): Promise<GlanceMoney> {
    return (await this.sql.row(MONEY))!;
  }

  /** Customers whose balance lasts no three days as they spend, the first to run out first. */
  dry(): Promise<DryCustomer[]> {
    return this.sql.rows(DRY);
  }

  /** Customers who ordered steadily and have not for three days, those who brought most first. */
  quiet(): Promise<QuietCustomer[]> {
    return this.sql.rows(QUIET);
  }
}
