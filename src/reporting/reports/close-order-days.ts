import { Injectable } from '@nestjs/common';
import { Shutdown } from '../../common/shutdown';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { ADD_DEMAND, ADD_EARNED, demandOf, earnedOf, WRITE_EARNED } from '../earnings/wallet-day.sql';
import { ADD_SERVED, servedOf } from '../service-record/service-day.sql';
import {
  ACTIVATIONS,
  beginOf,
  COUNT_LIST,
  COUNTS,
  COUNTS_OF_ORDER,
  FIRST_OPEN_DAY,
  lateIds,
  SUMS,
  UNSETTLED,
} from './order-day.sql';

/** The orders `d` of the day that is being closed. Its ends as values of their own: compared with a joined row, a ninth of all orders is expected. */
const OF_CLOSED = `from closed join delegations d on d.created_at >= (select ${beginOf('day')} from closed)
                   and d.created_at < (select ${beginOf('day + 1')} from closed)`;

const DAY_OF_ORDER = "(d.created_at at time zone 'utc')::date";
const OF_SETTLED = 'd.id = any(array(select id from settled))';

/**
 * Closes the next day, if its time has come: an hour after its end no transaction is still writing an order of it, for none lasts so long.
 * Summed up is what is settled, about whose money and transactions nothing changes any more; the others are put down as late, and keep no
 * day open. The day's row is written first: of several instances, one gets it, and the others find it there and write nothing.
 */
const CLOSE_NEXT = statement<[chainMs: number]>(
  'order_days_close_next',
  `with next as (
      select coalesce(${FIRST_OPEN_DAY}, (select (min(created_at) at time zone 'utc')::date from delegations)) as day
    ), closed as (
      insert into closed_order_days (day)
      select day from next
       where ${beginOf('day + 1')} < least(now(), to_timestamp($1::float8 / 1000)) - interval '1 hour'
      on conflict (day) do nothing
      returning day
    ), late as (
      insert into late_orders (id, day) select d.id, closed.day ${OF_CLOSED} where ${UNSETTLED}
    ), counted as (
      insert into order_days (day, user_id, paid_by, ${COUNT_LIST})
      select day, user_id, paid_by, ${SUMS}
        from (select closed.day, d.user_id, d.paid_by, ${COUNTS_OF_ORDER} ${OF_CLOSED} ${ACTIVATIONS} where not ${UNSETTLED}) o
       group by day, user_id, paid_by
    ), served as (${servedOf('closed.day', `${OF_CLOSED} where not ${UNSETTLED}`)}
    ), ${ADD_SERVED}, earned as (${earnedOf('closed.day', OF_CLOSED, `not ${UNSETTLED}`)}
    ), ${WRITE_EARNED}, demand as (${demandOf(OF_CLOSED, `not ${UNSETTLED}`)}
    ), ${ADD_DEMAND}
    select from closed`,
);

/** Adds to their days what has been settled since: an order is late or in its day's sums, at every moment one of the two. */
const COUNT_LATE = statement(
  'order_days_count_late',
  `with settled as (
      delete from late_orders where id in (select d.id from delegations d where d.id = ${lateIds()} and not ${UNSETTLED})
      returning id
    ), served as (${servedOf(DAY_OF_ORDER, `from delegations d where ${OF_SETTLED}`)}
    ), ${ADD_SERVED}, earned as (${earnedOf(DAY_OF_ORDER, 'from delegations d', OF_SETTLED)}
    ), ${ADD_EARNED}, demand as (${demandOf('from delegations d', OF_SETTLED)}
    ), ${ADD_DEMAND}
    insert into order_days (day, user_id, paid_by, ${COUNT_LIST})
    select day, user_id, paid_by, ${SUMS}
      from (select ${DAY_OF_ORDER} as day, d.user_id, d.paid_by, ${COUNTS_OF_ORDER}
              from delegations d ${ACTIVATIONS} where ${OF_SETTLED}) o
     group by day, user_id, paid_by
    on conflict (day, user_id, paid_by) do update
       set ${COUNTS.map((count) => `${count} = order_days.${count} + excluded.${count}`).join(', ')}`,
);

/**
 * Adds late orders to their days, and closes every day whose time has come, oldest first; years of them after an update, one statement
 * each. The tables `order_days`, `closed_order_days`, `late_orders`, `service_days`,
 * `inclusion_days`, `wallet_days` and `demand_hours`.
 */
@Injectable()
export class CloseOrderDays {
  constructor(
    private readonly sql: Sql,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * How many were closed. @param chainMs block time: a database whose clock is ahead would close a day that still gets orders, for good
   */
  async run(chainMs: number): Promise<number> {
    await this.sql.execute(COUNT_LATE);
    let closed = 0;
    while (!this.shutdown.signal.aborted && (await this.sql.execute(CLOSE_NEXT, [chainMs])) > 0) closed += 1;
    return closed;
  }
}
