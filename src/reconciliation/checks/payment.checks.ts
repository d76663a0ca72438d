import { trx } from '../../database/trx.sql';
import type { Check } from './check';

const LOOK =
  'Look at the order (delegation:show) and at the chain; the answer the user was given decides what is owed.';

/**
 * Holds against the orders they pay for. What was answered with a failure pays nothing; what is open is held; what
 * landed is taken; what is dead is released.
 */
export const PAYMENT_CHECKS: readonly Check[] = [
  {
    kind: 'hold_state',
    of: 'delegations',
    nextStep: LOOK,
    statement: {
      name: 'audit_hold_state',
      text: `
        select 'delegation ' || o.id as subject,
               format('state %s, answer %s, hold %s', o.state, o.answer, coalesce(h.state, 'missing')) as reason
        from (
          select id, state, answer,
                 case when answer = 'failure' or state in ('failed', 'taking_back', 'taken_back') then 'released'
                      when state in ('delegated', 'reclaiming', 'reclaimed') then 'taken'
                      else 'held' end as hold_state
          from delegations where id = any($1::uuid[])
        ) o
        left join holds h on h.delegation_id = o.id
        where h.state is distinct from o.hold_state`,
    },
  },
  {
    kind: 'hold_state',
    of: 'holds',
    nextStep: LOOK,
    statement: {
      name: 'audit_hold_without_order',
      text: `
        select 'delegation ' || h.delegation_id as subject, format('no such order, hold %s', h.state) as reason
        from holds h
        where h.delegation_id = any($1::uuid[])
          and not exists (select from delegations d where d.id = h.delegation_id)`,
    },
  },
  {
    kind: 'hold_amount',
    of: 'delegations',
    nextStep: LOOK,
    statement: {
      name: 'audit_hold_amount',
      text: `
        select 'delegation ' || o.id as subject,
               format('costs %s TRX, paid by %s; held were %s TRX and %s energy of %s',
                 ${trx('o.cost_sun')}, o.paid_by, ${trx('h.amount_sun')}, h.quota_energy, o.energy) as reason
        from delegations o
        join holds h on h.delegation_id = o.id
        where o.id = any($1::uuid[])
          and (h.user_id <> o.user_id or h.amount_sun <> o.cost_sun
            or (o.paid_by = 'subscription') <> (h.subscription_id is not null)
            or h.quota_energy <> case when o.paid_by = 'subscription' then o.energy else 0 end)`,
    },
  },
];
