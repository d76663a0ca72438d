import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../../database/sql';

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

export interface Stuck {
  readonly overdue_reclaims: number;
  readonly undecided_transactions: number;
  readonly abandoned_orders: number;
  readonly failing_reclaims: number;
}

export interface DueHour {
  readonly hour: Date;
  readonly orders: number;
  readonly energy: bigint;
}

export interface Wallets {
  readonly lending: number;
  readonly idle: number;
  readonly orders_paused: boolean;
  readonly findings: number;
}

/** Only orders of the last hour and orders that are open are looked at, so the age of the service does not matter. */
const LAST_HOUR: Statement = {
  name: 'panel-overview-last-hour',
  text: `select count(*)::integer as orders,
                (count(*) filter (where answer = 'success'))::integer as succeeded,
                (count(*) filter (where answer = 'failure'))::integer as failed,
                percentile_cont(0.5) within group (order by seconds) as median_s,
                percentile_cont(0.95) within group (order by seconds) as slow_s,
                coalesce(sum(energy) filter (where seconds is not null), 0)::bigint as lent_energy
           from (select answer, energy, greatest(extract(epoch from delegated_at - created_at), 0)::float8 as seconds
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
const DUE: Statement = {
  name: 'panel-overview-due',
  text: `select date_trunc('hour', reclaim_due_at, 'UTC') as hour, count(*)::integer as orders, sum(energy)::bigint as energy
           from delegations where state in ('delegated', 'reclaiming', 'taking_back')
          group by 1 order by 1 limit 26`,
};
const HELD: Statement = {
  name: 'panel-overview-held',
  text: `select count(*)::integer as holds, coalesce(sum(amount_sun), 0)::bigint as amount_sun,
                coalesce(sum(quota_energy), 0)::bigint as quota_energy
           from holds where state = 'held'`,
};
const STUCK: Statement = {
  name: 'panel-overview-stuck',
  text: `select
     (select count(*) from delegations
       where state in ('delegated', 'reclaiming', 'taking_back') and reclaim_due_at < now() - interval '15 minutes'
     )::integer as overdue_reclaims,
     (select count(*) from delegations
       where state in ('delegated', 'reclaiming', 'taking_back') and last_error is not null)::integer as failing_reclaims,
     (select count(*) from chain_transactions
       where state in ('saved', 'sent', 'included')
         and expiration_ms < extract(epoch from now() - interval '10 minutes') * 1000)::integer as undecided_transactions,
     (select count(*) from delegations
       where state in ('pending', 'activating', 'sent', 'included') and created_at < now() - interval '10 minutes'
     )::integer as abandoned_orders`,
};

const WALLETS: Statement = {
  name: 'panel-overview-wallets',
  text: `select (count(*) filter (where role = 'delegate'))::integer as lending,
                (count(*) filter (where state <> 'active'))::integer as idle,
                exists (select from order_switch where paused_at is not null) as orders_paused,
                (select count(*) from findings where resolved_at is null)::integer as findings
           from pool_wallets`,
};

@Injectable()
export class OverviewQueries {
  constructor(private readonly sql: Sql) {}

  async read() {
    const [lastHour, perMinute, lent, due, held, stuck, wallets] = await Promise.all([
      this.one<LastHour>(LAST_HOUR),
      this.sql.rows<{ minutes_ago: number; orders: number }>(PER_MINUTE),
      this.one<Lent>(LENT),
      this.sql.rows<DueHour & Record<string, unknown>>(DUE),
      this.one<Held>(HELD),
      this.one<Stuck>(STUCK),
      this.one<Wallets>(WALLETS),
    ]);
    const counts = new Map(perMinute.map((row) => [row.minutes_ago, row.orders]));
    // Oldest first, as charts are read.
    const minutes = Array.from({ length: 60 }, (_, index) => counts.get(59 - index) ?? 0);
    return { lastHour, minutes, lent, due, held, stuck, wallets };
  }

  private async one<Row>(statement: Statement): Promise<Row> {
    return (await this.sql.row<Row & Record<string, unknown>>(statement))!;
  }
}

export type Overview = Awaited<ReturnType<OverviewQueries['read']>>;
