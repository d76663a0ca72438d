import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';
import { STUCK_KINDS, STUCK_ORDERS, type StuckKind } from '../../delegation/lookup/stuck-orders';
import { NewOrders } from '../../delegation/placing/new-orders';

export interface LastHour {
  readonly orders: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly median_s: number | null;
  readonly slow_s: number | null;
  /** Lent by the orders of this hour, whatever became of it since. */
  readonly lent_energy: bigint;
}

export interface Lent {
  readonly orders: number;
  readonly energy: bigint;
  readonly stake_sun: bigint;
}

export interface Held {
  readonly holds: number;
  readonly amount_sun: bigint;
  readonly quota_energy: bigint;
}

export type Stuck = Readonly<Record<StuckKind, number>>;

export interface DueSpan {
  readonly span: 'earlier' | 'hour' | 'later';
  /** Of an hour alone. */
  readonly hour: Date | null;
  readonly orders: number;
  readonly energy: bigint;
}

/**
 * An order that is in no block has no time to its block: `greatest` would make 0 s of a null, and count it as lent.
 * Only orders of the last hour and orders that are open are looked at, so the age of the service does not matter.
 */
const LAST_HOUR: Statement = {
  name: 'panel-overview-last-hour',
  text: `select count(*)::integer as orders,
                (count(*) filter (where answer = 'success'))::integer as succeeded,
                (count(*) filter (where answer = 'failure'))::integer as failed,
                percentile_cont(0.5) within group (order by seconds) as median_s,
                percentile_cont(0.95) within group (order by seconds) as slow_s,
                coalesce(sum(energy) filter (where seconds is not null), 0)::bigint as lent_energy
           from (select answer, energy,
                        case when delegated_at is not null
                             then greatest(extract(epoch from delegated_at - created_at), 0)::float8 end as seconds
                   from delegations where created_at > now() - interval '1 hour') recent`,
};
const PER_MINUTE: Statement = {
  name: 'panel-overview-per-minute',
  text: `select floor(extract(epoch from now() - created_at) / 60)::integer as minutes_ago, count(*)::integer as orders
           from delegations where created_at > now() - interval '1 hour' group by 1`,
};
const LENT: Statement = {
  name: 'panel-overview-lent',
  text: `select count(*)::integer as orders, coalesce(sum(energy), 0)::bigint as energy,
                coalesce(sum(stake_sun), 0)::bigint as stake_sun
           from delegations where state in ('delegated', 'reclaiming', 'taking_back')`,
};
/** The coming day by the hour; what was due before it, and what is due behind it, in one row each. */
const DUE: Statement = {
  name: 'panel-overview-due',
  text: `select span, case when span = 'hour' then due_hour end as hour, count(*)::integer as orders, sum(energy)::bigint as energy
           from (select date_trunc('hour', reclaim_due_at, 'UTC') as due_hour, energy
                   from delegations where state in ('delegated', 'reclaiming', 'taking_back')) d,
                lateral (select case when due_hour < date_trunc('hour', now(), 'UTC') then 'earlier'
                                     when due_hour > now() + interval '24 hours' then 'later' else 'hour' end as span) s
          group by 1, 2 order by min(due_hour)`,
};
const HELD: Statement = {
  name: 'panel-overview-held',
  text: `select count(*)::integer as holds, coalesce(sum(amount_sun), 0)::bigint as amount_sun,
                coalesce(sum(quota_energy), 0)::bigint as quota_energy
           from holds where state = 'held'`,
};
const STUCK: Statement = {
  name: 'panel-overview-stuck',
  text: `select ${STUCK_KINDS.map((kind) => `(select count(*) from (${STUCK_ORDERS[kind]}) o)::integer as ${kind}`).join(', ')}`,
};

const FINDINGS: Statement = {
  name: 'panel-overview-findings',
  text: `select count(*)::integer as findings from findings where resolved_at is null`,
};

@Injectable()
export class OverviewQueries {
  constructor(
    private readonly sql: Sql,
    private readonly newOrders: NewOrders,
  ) {}

  async read() {
    const [lastHour, perMinute, lent, due, held, stuck, { findings }, newOrders] = await Promise.all([
      this.one<LastHour>(LAST_HOUR),
      this.sql.rows<{ minutes_ago: number; orders: number }>(PER_MINUTE),
      this.one<Lent>(LENT),
      this.sql.rows<DueSpan & Record<string, unknown>>(DUE),
      this.one<Held>(HELD),
      this.one<Stuck>(STUCK),
      this.one<{ findings: number }>(FINDINGS),
      this.newOrders.now(),
    ]);
    const counts = new Map(perMinute.map((row) => [row.minutes_ago, row.orders]));
    // Oldest first, as charts are read.
    const minutes = Array.from({ length: 60 }, (_, index) => counts.get(59 - index) ?? 0);
    return { lastHour, minutes, lent, due, held, stuck, findings, newOrders };
  }

  private async one<Row>(statement: Statement): Promise<Row> {
    return (await this.sql.row<Row & Record<string, unknown>>(statement))!;
  }
}

export type Overview = Awaited<ReturnType<OverviewQueries['read']>>;
