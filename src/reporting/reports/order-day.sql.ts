import { IS_OPEN } from '../../chain/transactions/outbox/chain-transaction.entity';
import { CHARGED_STATES, OPEN_STATES, sqlList, type OrderState } from '../../common/order.states';

const LANDED_STATES: readonly OrderState[] = [...CHARGED_STATES, 'taking_back', 'taken_back'];
const LANDED = `d.state in ${sqlList(LANDED_STATES)}`;

/** The columns of `order_days` that count orders. */
export const COUNTS = [
  'orders',
  'succeeded',
  'failed',
  'charged_sun',
  'energy',
  'landed',
  'activations',
  'activated_sun',
] as const;
export const COUNT_LIST = COUNTS.join(', ');

/** The same of one order `d`, as it is now, with its activations `a`. */
export const COUNTS_OF_ORDER = `1 as orders, (d.answer = 'success')::integer as succeeded, (d.answer = 'failure')::integer as failed,
          case when d.answer <> 'failure' and d.state in ${sqlList(CHARGED_STATES)} then d.cost_sun else 0 end as charged_sun,
          case when ${LANDED} then d.energy else 0 end as energy, (${LANDED})::integer as landed,
          coalesce(a.activations, 0) as activations, coalesce(a.activated_sun, 0) as activated_sun`;

/** An activation that has landed costs, whatever became of its order. */
export const ACTIVATIONS = `left join lateral (
       select count(*) as activations, sum(t.amount_sun) as activated_sun from chain_transactions t
        where d.activates and t.subject_id = d.id and t.purpose = 'activation' and t.state = 'final') a on true`;

/** Whether something about the money or the transactions of an order `d` may still change. */
export const UNSETTLED = `(d.state in ${sqlList(OPEN_STATES)} or d.activates and exists (
       select from chain_transactions t
        where t.subject_id = d.id and t.purpose = 'activation' and t.${IS_OPEN}))`;

/** Late orders, as a list to look up by: a join with so small a table might be planned as a reading of all orders. */
export const lateIds = (where = 'true') => `any(array(select id from late_orders where ${where}))`;

export const SUMS = COUNTS.map((count) => `sum(${count})::bigint as ${count}`).join(', ');

/** The first UTC day whose orders are not in `order_days` yet; null while no day was closed. */
export const FIRST_OPEN_DAY = '(select max(day) + 1 from closed_order_days)';
/** The moment at which a UTC day begins. */
export const beginOf = (day: string) => `(${day})::timestamp at time zone 'utc'`;
