import { IS_CHARGED_ORDER as CHARGED } from '../../common/order.states';
import { beginOf, FIRST_OPEN_DAY, lateIds } from './order-day.sql';

export { CHARGED };

/** SQL about the last UTC days, today included. */
export interface LastDays {
  readonly first: string;
  /** Orders `d` of days that have no sums yet. */
  readonly ofOpenDays: string;
  /** What each late order has cost its user: they are few, and are looked at once for all users. */
  readonly late: string;
}

export function lastDays(count: number): LastDays {
  const first = `((now() at time zone 'utc')::date - ${count - 1})`;
  const open = `greatest(${first}, coalesce(${FIRST_OPEN_DAY}, ${first}))`;
  return {
    first,
    // Both ends, or a third of all orders is expected and all of them are read.
    ofOpenDays: `d.created_at >= (select ${beginOf(open)}) and d.created_at < 'infinity'`,
    late: `select d.user_id, d.cost_sun as sun from delegations d where d.id = ${lateIds(`day >= ${first}`)} and ${CHARGED}`,
  };
}

/** SQL: `user_id` and `sun` of each user who has spent anything. */
export const spentByAll = ({ first, ofOpenDays, late }: LastDays): string => `select user_id, sum(sun) as sun from (
          select user_id, charged_sun as sun from order_days where day >= ${first}
          union all
          select d.user_id, d.cost_sun from delegations d where ${ofOpenDays} and ${CHARGED}
          union all ${late}) each group by user_id`;
