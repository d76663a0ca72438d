import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { LENT_STATES, sqlList } from '../../common/order.states';
import { STUCK_KINDS, STUCK_ORDERS, type StuckKind } from '../../delegation/lookup/stuck-orders';

export interface LastHour {
  readonly orders: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly medianSeconds: number | null;
  readonly slowSeconds: number | null;
  /** Lent by the orders of this hour, whatever became of it since. */
  readonly lentEnergy: bigint;
}

export interface Lent {
  readonly orders: number;
  readonly energy: bigint;
  readonly stakeSun: bigint;
}

export type StuckCounts = Readonly<Record<StuckKind, number>>;

const LENT_STATE = `state in ${sqlList(LENT_STATES)}`;

/**
 * An order that is in no block has no time to its block: `greatest` would make 0 s of a null, and count it as lent.
 * Only orders of the last hour and orders that are open are looked at, so the age of the service does not matter.
 */
const LAST_HOUR = statement<[], LastHour>(
  'panel_overview_last_hour',
  `select count(*)::integer as orders,
          (count(*) filter (where answer = 'success'))::integer as succeeded,
          (count(*) filter (where answer = 'failure'))::integer as failed,
          percentile_cont(0.5) within group (order by seconds) as "medianSeconds",
          percentile_cont(0.95) within group (order by seconds) as "slowSeconds",
          coalesce(sum(energy) filter (where seconds is not null), 0)::bigint as "lentEnergy"
     from (select answer, energy,
                  case when delegated_at is not null
                       then greatest(extract(epoch from delegated_at - created_at), 0)::float8 end as seconds
             from delegations where created_at > now() - interval '1 hour') recent`,
);
const PER_MINUTE = statement<[], { minutesAgo: number; orders: number }>(
  'panel_overview_per_minute',
  `select floor(extract(epoch from now() - created_at) / 60)::integer as "minutesAgo", count(*)::integer as orders
     from delegations where created_at > now() - interval '1 hour' group by 1`,
);
const LENT_BY_WALLET = statement<[], { walletId: string; energy: bigint }>(
  'panel_overview_lent_by_wallet',
  `select wallet_id as "walletId", sum(energy)::bigint as energy
     from delegations where created_at > now() - interval '1 hour' and delegated_at is not null group by 1`,
);
const LENT = statement<[], Lent>(
  'panel_overview_lent',
  `select count(*)::integer as orders, coalesce(sum(energy), 0)::bigint as energy,
          coalesce(sum(stake_sun), 0)::bigint as "stakeSun"
     from delegations where ${LENT_STATE}`,
);
const STUCK = statement<[], StuckCounts>(
  'panel_overview_stuck',
  `select ${STUCK_KINDS.map((kind) => `(select count(*) from (${STUCK_ORDERS[kind]}) o)::integer as ${kind}`).join(', ')}`,
);

/** Orders in numbers: how it goes, what is out, what needs a look. */
@Injectable()
export class OrderOverviewRepository {
  constructor(private readonly sql: Sql) {}

  async lastHour(): Promise<LastHour> {
    return (await this.sql.row(LAST_HOUR))!;
  }

  /** Orders of each of the last 60 minutes, oldest first. */
  async perMinute(): Promise<number[]> {
    const counts = new Map((await this.sql.rows(PER_MINUTE)).map((row) => [row.minutesAgo, row.orders]));
    return Array.from({ length: 60 }, (_, index) => counts.get(59 - index) ?? 0);
  }

  /** Energy lent by the orders of the last hour, by wallet. */
  async lentLastHour(): Promise<Map<string, bigint>> {
    return new Map((await this.sql.rows(LENT_BY_WALLET)).map(({ walletId, energy }) => [walletId, energy]));
  }

  async lent(): Promise<Lent> {
    return (await this.sql.row(LENT))!;
  }

  async stuck(): Promise<StuckCounts> {
    return (await this.sql.row(STUCK))!;
  }
}
