import { Injectable } from '@nestjs/common';
import { IS_CHARGED_ORDER } from '../../common/order.states';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { criteria, type OrderCriteria } from '../../delegation/lookup/order-lookup';

/** More are not counted. */
export const MOST_SUMMED = 10_000;

export interface OrderTotals {
  readonly orders: number;
  readonly chargedSun: bigint;
  /** That of the orders that were charged. */
  readonly energy: bigint;
}

export interface OrderTarget {
  readonly id: string;
  readonly receiver: string;
  readonly txid: string | null;
}

const TARGETS = statement<[ids: readonly string[]], OrderTarget>(
  'delegation_targets',
  `select d.id, d.receiver, t.tx_id as txid from delegations d
     left join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'
    where d.id = any($1::uuid[])`,
);

/** What lists and files of money say of orders. */
@Injectable()
export class OrderFigures {
  constructor(private readonly sql: Sql) {}

  /** Counts and sums up what the filter finds, up to so many: what is beyond is not read. */
  async totals(filter: OrderCriteria): Promise<OrderTotals> {
    const { name, values, page } = criteria({ ...filter, before: null, limit: MOST_SUMMED + 1 });
    const text = `select count(*)::integer as orders, coalesce(sum(d.cost_sun) filter (where ${IS_CHARGED_ORDER}), 0)::bigint as "chargedSun",
              coalesce(sum(d.energy) filter (where ${IS_CHARGED_ORDER}), 0)::bigint as energy
         from (select d.cost_sun, d.energy, d.answer, d.state ${page}) d`;
    return (await this.sql.row<readonly unknown[], OrderTotals>({ name: `delegation_totals_${name}`, text }, values))!;
  }

  /** To whom, and by which transaction, by order. */
  async targets(ids: readonly string[]): Promise<Map<string, OrderTarget>> {
    return new Map((await this.sql.rows(TARGETS, [ids])).map((target) => [target.id, target]));
  }
}
