import { CHARGED_STATES, FREE_STATES, sqlList } from '../../common/order.states';
import { type Check, rowCheck } from './check';

/**
 * Holds against the orders they pay for. What was answered with a failure pays nothing; what is open is held; what
 * landed is taken; what is dead is released. Both sides are found by the keys: with statistics of before most rows were there, a plan
 * may otherwise read a whole table to join it.
 */
export const PAYMENT_CHECKS: readonly Check[] = [
  rowCheck(
    'hold_state',
    'delegations',
    'delegation',
    `select o.id as subject_id, o.state, o.answer, coalesce(h.state, 'missing') as hold
       from (
         select id, state, answer,
                case when answer = 'failure' or state in ${sqlList(FREE_STATES)} then 'released'
                     when state in ${sqlList(CHARGED_STATES)} then 'taken'
                     else 'held' end as hold_state
         from delegations where id = any($1::uuid[])
       ) o
       left join holds h on h.delegation_id = o.id and h.delegation_id = any($1::uuid[])
      where h.state is distinct from o.hold_state`,
  ),
  rowCheck(
    'hold_without_order',
    'holds',
    'delegation',
    `select h.delegation_id as subject_id, h.state as hold
       from holds h
      where h.delegation_id = any($1::uuid[])
        and not exists (select from delegations d where d.id = h.delegation_id and d.id = any($1::uuid[]))`,
  ),
  rowCheck(
    'hold_amount',
    'delegations',
    'delegation',
    `select o.id as subject_id, o.cost_sun::text as cost_sun, o.paid_by, h.amount_sun::text as held_sun,
            h.quota_energy::text as held_energy, o.energy::text as energy
       from delegations o
       join holds h on h.delegation_id = o.id
      where o.id = any($1::uuid[]) and h.delegation_id = any($1::uuid[])
        and (h.user_id <> o.user_id or h.amount_sun <> o.cost_sun
          or (o.paid_by = 'subscription') <> (h.subscription_id is not null)
          or h.quota_energy <> case when o.paid_by = 'subscription' then o.energy else 0 end)`,
  ),
];
