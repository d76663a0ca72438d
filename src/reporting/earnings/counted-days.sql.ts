import { beginOf, FIRST_OPEN_DAY, lateIds } from '../reports/order-day.sql';

/** SQL: the UTC days from $1 to the one before $2; those before `open` are closed. */
export const COUNTED_DAYS = `bounds as (
      select $1::date as first, greatest($1::date, least($2::date, coalesce(${FIRST_OPEN_DAY}, $1::date))) as open
    )`;

/** SQL: which orders `d` of these days have to be counted one by one. */
export const SINGLE_ORDERS = [
  `d.id = ${lateIds('day >= (select first from bounds) and day < (select open from bounds)')}`,
  `d.created_at >= (select ${beginOf('open')} from bounds) and d.created_at < (select ${beginOf('greatest(open, $2::date)')} from bounds)`,
];
