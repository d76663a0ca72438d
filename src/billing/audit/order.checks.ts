import type { AuditCheck } from './audit-check';

const LOOK =
  'Look at the order (delegation:show) and at the chain; the answer the user was given decides what is owed.';

/**
 * Holds against the orders they pay for. What was answered with a failure pays nothing; what is open is held; what
 * landed is taken; what is dead is released.
 */
export const ORDER_CHECKS: readonly AuditCheck[] = [
  {
    kind: 'hold_state',
    nextStep: LOOK,
    statement: {
      name: 'audit_hold_state',
      text: `
        select 'delegation ' || coalesce(o.id, h.delegation_id) as subject,
               format('state %s, answer %s, hold %s', coalesce(o.state, 'no such order'), coalesce(o.answer, 'none'),
                 coalesce(h.state, 'missing')) as reason
        from (
          select id, state, answer,
                 case when answer = 'failure' or state in ('failed', 'taking_back', 'taken_back') then 'released'
                      when state in ('delegated', 'reclaiming', 'reclaimed') then 'taken'
                      else 'held' end as hold_state
          from delegations
        ) o
        full join holds h on h.delegation_id = o.id
        where h.state is distinct from o.hold_state`,
    },
  },
  {
    kind: 'hold_amount',
    nextStep: LOOK,
    statement: {
      name: 'audit_hold_amount',
      text: `
        select 'delegation ' || o.id as subject,
               format('costs %s sun, paid by %s; held were %s sun and %s energy of %s',
                 o.cost_sun, o.paid_by, h.amount_sun, h.quota_energy, o.energy) as reason
        from delegations o
        join holds h on h.delegation_id = o.id
        where h.user_id <> o.user_id or h.amount_sun <> o.cost_sun
          or (o.paid_by = 'subscription') <> (h.subscription_id is not null)
          or h.quota_energy <> case when o.paid_by = 'subscription' then o.energy else 0 end`,
    },
  },
];
