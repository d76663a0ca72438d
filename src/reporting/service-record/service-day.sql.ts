import { SERVICE_FAILURES } from '../../common/errors/error-codes';
import { FREE_STATES, OPEN_STATES, sqlList } from '../../common/order.states';
import { bucketOf } from './inclusion-bucket';

/** SQL: `INTERNAL`, `PAUSED` and the like, as a list. */
export const SERVICE_FAILURE_LIST = `(${SERVICE_FAILURES.map((code) => `'${code}'`).join(', ')})`;

/** An order that waits for its answer and its block is not judged yet; one that was refused for something of the caller's never is. */
const IS_JUDGED = `(d.answer <> 'none' or d.state not in ${sqlList(OPEN_STATES)})
            and not (d.answer = 'failure' and coalesce(d.answer_code, 'INTERNAL') not in ${SERVICE_FAILURE_LIST})`;
const CAME_TO_NOTHING = `(d.answer = 'failure' or d.state in ${sqlList(FREE_STATES)})`;
const MILLISECONDS = "date_part('epoch', d.delegated_at - d.created_at) * 1000";

/** SQL: by day and time to inclusion, the orders `d` of `from` that are judged, and those of them that came to nothing (without a time). */
export const servedOf = (day: string, from: string): string => `
      select day, bucket, count(*) as orders, count(*) filter (where is_lost) as failed
        from (select ${day} as day, ${CAME_TO_NOTHING} as is_lost,
                     case when d.delegated_at is not null and not ${CAME_TO_NOTHING} then ${bucketOf(MILLISECONDS)} end as bucket
                ${from} and ${IS_JUDGED}) o
       group by day, bucket`;

/** SQL: adds the rows of `served` to their days. In the statement that closes a day or settles late orders: an order is counted once. */
export const ADD_SERVED = `served_days as (
      insert into service_days as s (day, orders, failed) select day, sum(orders), sum(failed) from served group by day order by day
      on conflict (day) do update set orders = s.orders + excluded.orders, failed = s.failed + excluded.failed
    ), served_times as (
      insert into inclusion_days as i (day, bucket, orders)
      select day, bucket, orders from served where bucket is not null order by day, bucket
      on conflict (day, bucket) do update set orders = i.orders + excluded.orders
    )`;
