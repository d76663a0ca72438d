import { Injectable } from '@nestjs/common';
import { isPaused } from '../../chain/pool/switches/switch.sql';
import { IS_RESTORED } from '../../database/identity/database-identity.sql';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { LENT_STATES, OPEN_STATES, type OrderState, sqlList } from '../../common/order.states';

interface OrderCount {
  readonly state: OrderState;
  readonly answer: string;
  readonly orders: number;
}
interface HoldSums {
  readonly holds: number;
  readonly sun: number;
  readonly energy: number;
  readonly oldest_seconds: number;
}
interface LentSums {
  readonly energy: number;
  readonly stake_sun: number;
  readonly due_energy: number;
  readonly due: number;
  readonly lag_seconds: number;
}

interface DeliverySums {
  readonly pending: number;
  readonly oldest_seconds: number;
  readonly lag_seconds: number;
}

/** Finished orders only of the last day: a table of millions is not counted for a graph. */
const ORDERS = statement<[], OrderCount>(
  'metrics_orders',
  `select state, answer, count(*)::integer as orders from delegations
    where state in ${sqlList([...OPEN_STATES, ...LENT_STATES])}
       or created_at > now() - interval '24 hours'
    group by state, answer`,
);

const HOLDS = statement<[], HoldSums>(
  'metrics_holds',
  `select count(*)::float8 as holds, coalesce(sum(amount_sun), 0)::float8 as sun,
          coalesce(sum(quota_energy), 0)::float8 as energy,
          coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds
     from holds where state = 'held'`,
);

/** By the database's clock, which differs by seconds from the block time that decides. */
const LENT = statement<[], LentSums>(
  'metrics_lent',
  `select coalesce(sum(d.energy), 0)::float8 as energy, coalesce(sum(d.stake_sun), 0)::float8 as stake_sun,
          coalesce(sum(d.energy) filter (where d.reclaim_due_at <= now()), 0)::float8 as due_energy,
          count(*) filter (where d.reclaim_due_at <= now())::float8 as due,
          coalesce(extract(epoch from now() - min(d.reclaim_due_at)
            filter (where d.reclaim_due_at <= now() and not exists (
              select from chain_transactions t
               where t.subject_id = d.id and t.purpose = 'reclaim' and t.state <> 'dead'))), 0)::float8 as lag_seconds
     from delegations d where d.state in ${sqlList(LENT_STATES)}`,
);

const FINDINGS = statement<[], { kind: string; findings: number }>(
  'metrics_findings',
  `select kind, count(*)::integer as findings from findings where resolved_at is null group by kind`,
);

const RECONCILED = statement<[], { seconds: number | null }>(
  'metrics_reconciled',
  `select extract(epoch from succeeded_at)::float8 as seconds from reconcile_mark`,
);

const WEBHOOKS = statement<[], { state: string; webhooks: number }>(
  'metrics_webhooks',
  `select case when state = 'active' and failing_since is not null then 'failing' else state end as state,
          count(*)::integer as webhooks
     from webhooks where state <> 'removed' group by 1`,
);

/** Pending deliveries alone, for which there is an index. */
const DELIVERIES = statement<[], DeliverySums>(
  'metrics_deliveries',
  `select count(*)::float8 as pending,
          coalesce(extract(epoch from now() - min(d.created_at)), 0)::float8 as oldest_seconds,
          greatest(coalesce(extract(epoch from now() - min(d.next_at) filter (where w.failing_since is null)), 0), 0)::float8
            as lag_seconds
     from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state = 'pending' and w.state = 'active'`,
);

export interface Stops {
  readonly orders: boolean;
  readonly reclaims: boolean;
  readonly restored: boolean;
}
const STOPS = statement<[], Stops>(
  'metrics_stops',
  `select ${isPaused('orders')} as orders, ${isPaused('reclaims')} as reclaims, ${IS_RESTORED} as restored`,
);

/** Sums over tables of other rooms, which only metrics need. */
@Injectable()
export class MetricsRepository {
  constructor(private readonly sql: Sql) {}

  countOrders(): Promise<OrderCount[]> {
    return this.sql.rows(ORDERS);
  }

  async sumHolds(): Promise<HoldSums> {
    return (await this.sql.row(HOLDS))!;
  }

  async sumLent(): Promise<LentSums> {
    return (await this.sql.row(LENT))!;
  }

  countFindings(): Promise<{ kind: string; findings: number }[]> {
    return this.sql.rows(FINDINGS);
  }

  /** Seconds since 1970, by the database's clock; null before the first success. */
  async reconciledAt(): Promise<number | null> {
    return (await this.sql.row(RECONCILED))?.seconds ?? null;
  }

  countWebhooks(): Promise<{ state: string; webhooks: number }[]> {
    return this.sql.rows(WEBHOOKS);
  }

  async readDeliveries(): Promise<DeliverySums> {
    return (await this.sql.row(DELIVERIES))!;
  }

  async readStops(): Promise<Stops> {
    return (await this.sql.row(STOPS))!;
  }
}
