import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Days } from '../refusals/refused-attempt.repository';
import { beginOf } from '../reports/order-day.sql';
import { COUNTED_DAYS, SINGLE_ORDERS } from './counted-days.sql';
import { demandOf } from './wallet-day.sql';

export interface DemandHour {
  /** Its first moment. */
  readonly at: Date;
  readonly orders: bigint;
  readonly energy: bigint;
}

const READ = statement<[from: string, to: string], DemandHour>(
  'demand_by_hour',
  `with ${COUNTED_DAYS}, each as (
      select at, orders, energy from demand_hours
       where at >= (select ${beginOf('first')} from bounds) and at < (select ${beginOf('open')} from bounds)
      ${SINGLE_ORDERS.map((where) => `union all ${demandOf('from delegations d', where)}`).join('\n      ')}
    )
    select at, sum(orders)::bigint as orders, sum(energy)::bigint as energy from each group by at order by at`,
);

const FIRST = statement<[], { at: Date | null }>(
  'demand_first',
  `select least((select created_at from delegations order by created_at, id limit 1), (select min(at) from demand_hours)) as at`,
);

/** What was ordered, by the hour, whatever became of it. */
@Injectable()
export class DemandRepository {
  constructor(private readonly sql: Sql) {}

  /** Hours without an order are left out. */
  read({ from, to }: Days): Promise<DemandHour[]> {
    return this.sql.rows(READ, [from, to]);
  }

  /** When the first order came; null: none has. */
  async first(): Promise<Date | null> {
    return (await this.sql.row(FIRST))!.at;
  }
}
