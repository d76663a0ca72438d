import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { beginOf, FIRST_OPEN_DAY, lateIds } from '../reports/order-day.sql';
import { type Bucket, millisecondsWithin } from './inclusion-bucket';
import { servedOf } from './service-day.sql';

/** UTC days that the record shows, today included. */
export const RECORD_DAYS = 90;

export interface RecordedDay {
  /** `2026-05-31` */
  readonly date: string;
  /** Orders and refused attempts that count for or against the service. */
  readonly orders: bigint;
  readonly failed: bigint;
}

export interface ServiceRecord {
  /** All of them, oldest first: a day without orders has zeros. */
  readonly days: readonly RecordedDay[];
  /** Milliseconds from the order to the time of its block; null: no order was in a block. */
  readonly inclusionMs: { readonly p50: number | null; readonly p95: number | null };
}

type RecordRow = RecordedDay & Bucket & { readonly date: string | null };

const UTC_DAY = `(d.created_at at time zone 'utc')::date`;

/**
 * Closed days come from their sums. One by one are read the orders of days that are open, which are two unless closing has stopped, and late
 * ones.
 */
const READ = statement<[], RecordRow>(
  'service_record',
  `with bounds as (
      select first, today, greatest(first, coalesce(${FIRST_OPEN_DAY}, first)) as open
        from (select (now() at time zone 'utc')::date as today, (now() at time zone 'utc')::date - ${RECORD_DAYS - 1} as first) days
    ), single as materialized (
      ${servedOf(UTC_DAY, `from delegations d where d.id = ${lateIds('day >= (select first from bounds)')}`)}
      union all ${servedOf(UTC_DAY, `from delegations d where d.created_at >= (select ${beginOf('open')} from bounds) and d.created_at < 'infinity'`)}
    ), counted as (
      select day, orders + refused as orders, failed + refused as failed from service_days
      union all select day, orders, failed from single
    ), times as (
      select bucket, orders from inclusion_days where day >= (select first from bounds)
      union all select bucket, orders from single where bucket is not null
    )
    select shown.at::date::text as date, null::integer as bucket, coalesce(sum(c.orders), 0)::bigint as orders,
           coalesce(sum(c.failed), 0)::bigint as failed
      from bounds cross join generate_series(first, today, interval '1 day') shown (at) left join counted c on c.day = shown.at::date
     group by 1
    union all
    select null, bucket, sum(orders)::bigint, 0 from times group by bucket
    order by date`,
);

/** How the service has served all customers together. The tables `service_days` and `inclusion_days`. */
@Injectable()
export class ServiceRecordRepository {
  constructor(private readonly sql: Sql) {}

  async read(): Promise<ServiceRecord> {
    const rows = await this.sql.rows(READ);
    const times = rows.filter(({ date }) => date === null);
    return {
      days: rows.flatMap(({ date, orders, failed }) => (date === null ? [] : [{ date, orders, failed }])),
      inclusionMs: { p50: millisecondsWithin(50, times), p95: millisecondsWithin(95, times) },
    };
  }
}
