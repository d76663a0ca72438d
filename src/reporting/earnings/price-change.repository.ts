import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Days } from '../refusals/refused-attempt.repository';
import { beginOf, FIRST_OPEN_DAY } from '../reports/order-day.sql';

/** What a customer's new price is compared by, at most, on each side. */
const MOST_DAYS = 14;
const MOST_CHANGES = 20;

interface Sums {
  readonly energy: bigint;
  readonly chargedSun: bigint;
}

interface Row {
  readonly at: Date;
  readonly userId: string;
  readonly user: string;
  readonly was: string;
  readonly is: string;
  readonly days: number;
  readonly energyBefore: bigint;
  readonly chargedBefore: bigint;
  readonly energyAfter: bigint;
  readonly chargedAfter: bigint;
}

export interface PriceChange extends Pick<Row, 'at' | 'userId' | 'user' | 'was' | 'is'> {
  /** Whole UTC days on each side; 0: none is over yet, or another change leaves none. */
  readonly days: number;
  readonly before: Sums;
  readonly after: Sums;
}

const OF_PRICE = `outcome = 'done' and action = 'user.settings' and before ->> 'unit_price' is distinct from after ->> 'unit_price'`;
const neighbour = (which: 'min' | 'max', side: '<' | '>') => `(
        select ${which}((n.at at time zone 'utc')::date) from audit_log n where n.subject = a.subject and n.id ${side} a.id and ${OF_PRICE})`;
const sums = (name: string, from: string, to: string) => `left join lateral (
      select coalesce(sum(o.energy), 0)::bigint as energy, coalesce(sum(o.charged_sun), 0)::bigint as sun
        from order_days o where o.user_id = c.user_id and o.day >= ${from} and o.day <= ${to}
    ) ${name} on true`;

/** The day of the change itself has both prices, and counts on neither side. A customer has no day before the first one. */
const READ = statement<[from: string, to: string], Row>(
  'price_changes',
  `with changed as (
      select id, at, subject, before ->> 'unit_price' as was, after ->> 'unit_price' as is, (at at time zone 'utc')::date as day from audit_log
       where at >= ${beginOf('$1::date')} and at < ${beginOf('$2::date')} and subject like 'user %' and ${OF_PRICE}
       order by at desc, id desc limit ${MOST_CHANGES}
    ), counted as (
      select a.id, a.at, u.id as user_id, u.email, a.was, a.is, a.day,
             greatest(0, least(${MOST_DAYS},
               a.day - 1 - greatest((u.created_at at time zone 'utc')::date, ${neighbour('max', '<')}),
               least(coalesce(${FIRST_OPEN_DAY}, a.day), ${neighbour('min', '>')}) - 1 - a.day)) as days
        from changed a join users u on a.subject = 'user ' || u.id::text
    )
    select c.at, c.user_id as "userId", c.email as user, c.was, c.is, c.days, b.energy as "energyBefore", b.sun as "chargedBefore",
           n.energy as "energyAfter", n.sun as "chargedAfter"
      from counted c
      ${sums('b', 'c.day - c.days', 'c.day - 1')}
      ${sums('n', 'c.day + 1', 'c.day + c.days')}
     order by c.at desc, c.id desc`,
);

/** What customers ordered and paid before and after their price was changed, by closed days. */
@Injectable()
export class PriceChangeRepository {
  constructor(private readonly sql: Sql) {}

  /** The newest changes of these UTC days first. */
  async read({ from, to }: Days): Promise<PriceChange[]> {
    const rows = await this.sql.rows(READ, [from, to]);
    return rows.map(({ energyBefore, chargedBefore, energyAfter, chargedAfter, ...change }) => ({
      ...change,
      before: { energy: energyBefore, chargedSun: chargedBefore },
      after: { energy: energyAfter, chargedSun: chargedAfter },
    }));
  }
}
