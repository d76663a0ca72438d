import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { OPEN_STATES, sqlList } from '../order.states';
import { ACTIVATIONS, beginOf, COUNT_LIST, COUNTS_OF_ORDER, FIRST_OPEN_DAY, SUMS } from './order-day.sql';

/**
 * Closes the next day, if its time has come: an hour after its end nobody is still writing an order of it, for no transaction lasts so
 * long, and where all its orders are settled nothing about their money and their transactions changes any more. The day's row is written
 * first: of several instances, one gets it, and the others find it there and write nothing.
 */
const CLOSE_NEXT = statement(
  'order_days_close_next',
  `with next as (
      select coalesce(${FIRST_OPEN_DAY}, (select (min(created_at) at time zone 'utc')::date from all_delegations)) as day
    ), closed as (
      insert into closed_order_days (day)
      select day from next
       where ${beginOf('day + 1')} < now() - interval '1 hour'
         and not exists (select from delegations
                          where created_at >= ${beginOf('next.day')} and created_at < ${beginOf('next.day + 1')}
                            and state in ${sqlList(OPEN_STATES)})
      on conflict (day) do nothing
      returning day
    ), counted as (
      insert into order_days (day, user_id, paid_by, ${COUNT_LIST})
      select day, user_id, paid_by, ${SUMS}
        from (select closed.day, d.user_id, d.paid_by, ${COUNTS_OF_ORDER}
                from closed
                join all_delegations d on d.created_at >= ${beginOf('closed.day')} and d.created_at < ${beginOf('closed.day + 1')}
                ${ACTIVATIONS}) o
       group by day, user_id, paid_by
    )
    select from closed`,
);

/** The tables `order_days` and `closed_order_days`. */
@Injectable()
export class OrderDayRepository {
  constructor(private readonly sql: Sql) {}

  /** False when there is none to close. */
  async closeNext(): Promise<boolean> {
    return (await this.sql.execute(CLOSE_NEXT)) > 0;
  }
}
