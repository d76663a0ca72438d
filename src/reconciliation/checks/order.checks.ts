import { trx } from '../../database/trx.sql';
import type { Check } from './check';

/** Orders that are not where they should be by now. Orders in flight are no finding: each check waits well past their time. */
export const ORDER_CHECKS: readonly Check[] = [
  {
    kind: 'stuck_transaction',
    of: 'open',
    nextStep:
      'Check that the node answers (doctor) and that the service runs: its block follower settles what the chain has decided.',
    statement: {
      name: 'audit_stuck_transaction',
      text: `
        select 'delegation ' || delegation_id as subject,
               format('its %s %s is %s although it expired at %s', purpose, tx_id, state, to_timestamp(expiration_ms / 1000.0)) as reason
          from chain_transactions
         where state in ('saved', 'sent', 'included') and to_timestamp(expiration_ms / 1000.0) < now() - interval '10 minutes'`,
    },
  },
  {
    kind: 'abandoned_order',
    of: 'open',
    nextStep: 'Start the service: it closes orders whose instance died before their delegation was signed.',
    statement: {
      name: 'audit_abandoned_order',
      text: `
        select 'delegation ' || id as subject, 'is activating since ' || created_at as reason
          from delegations where state = 'activating' and created_at < now() - interval '10 minutes'`,
    },
  },
  {
    kind: 'unsigned_order',
    of: 'delegations',
    nextStep: 'Look at the history (delegation:show): an order past its activation always has a signed delegation.',
    statement: {
      name: 'audit_unsigned_order',
      text: `
        select 'delegation ' || d.id as subject, format('is %s without a delegation transaction', d.state) as reason
          from delegations d
         where d.id = any($1::uuid[]) and d.state not in ('activating', 'failed')
           and not exists (select 1 from chain_transactions t where t.delegation_id = d.id and t.purpose = 'delegation')`,
    },
  },
  {
    kind: 'overdue_reclaim',
    of: 'open',
    nextStep:
      'Read last_error in delegation:show; mend its cause (key, permission, bandwidth, node), then reclaim:run.',
    statement: {
      name: 'audit_overdue_reclaim',
      text: `
        select 'delegation ' || id as subject,
               format('%s since %s%s', state, reclaim_due_at, coalesce(': ' || last_error, '')) as reason
          from delegations
         where state in ('delegated', 'reclaiming', 'taking_back') and reclaim_due_at < now() - interval '15 minutes'
           and attempts > 0`,
    },
  },
  {
    kind: 'shortage',
    of: 'delegations',
    nextStep:
      'Somebody with the wallet key took stake back from this receiver. Find out who, rotate the key if need be, then acknowledge it: reconcile gives it an id, finding:list shows that, finding:acknowledge ends it.',
    statement: {
      name: 'audit_shortage',
      text: `
        select 'delegation ' || d.id as subject,
               format('%s of %s TRX were no longer there to take back', ${trx('d.shortage_sun')}, ${trx('d.stake_sun')}) as reason,
               d.shortage_sun as amount_sun
          from delegations d
         where d.id = any($1::uuid[]) and d.shortage_sun > 0
           and not exists (select 1 from findings f
                            where f.kind = 'shortage' and f.subject = 'delegation ' || d.id
                              and f.acknowledged_at is not null and f.amount_sun >= d.shortage_sun)`,
    },
  },
];
