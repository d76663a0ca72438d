import { trx } from '../../database/trx.sql';
import type { Check } from './check';

const HELD = 'Set the held amount to the sum of the open holds, in one transaction, with the service stopped.';

/**
 * Holds against what they hold and what they became. Each row looks up the other by its key (`limit 1`, `materialized`): with
 * statistics of before most rows were there, a plan may otherwise read all charges for each of them.
 */
export const HOLD_CHECKS: readonly Check[] = [
  {
    kind: 'account_held',
    of: 'accounts',
    nextStep: HELD,
    statement: {
      name: 'audit_account_held',
      text: `
        select 'user ' || a.user_id as subject,
               format('%s TRX are held, the open holds add up to %s', ${trx('a.held_sun')}, ${trx('coalesce(h.total, 0)')}) as reason
        from accounts a
        left join lateral (
          select sum(amount_sun) as total from holds where user_id = a.user_id and state = 'held'
        ) h on true
        where a.user_id = any($1::uuid[]) and a.held_sun <> coalesce(h.total, 0)`,
    },
  },
  {
    kind: 'quota',
    of: 'subscriptions',
    nextStep: HELD,
    statement: {
      name: 'audit_quota',
      text: `
        select 'subscription ' || s.id as subject,
               format('energy used %s and held %s of %s, its holds say used %s and held %s',
                 s.used_energy, s.held_energy, s.quota_energy, coalesce(h.used, 0), coalesce(h.held, 0)) as reason
        from subscriptions s
        left join lateral (
          select sum(quota_energy) filter (where state = 'held') as held,
                 sum(quota_energy) filter (where state = 'taken') as used,
                 bool_or(user_id <> s.user_id) as of_another
          from holds where subscription_id = s.id
        ) h on true
        where s.id = any($1::uuid[])
          and (s.held_energy <> coalesce(h.held, 0) or s.used_energy <> coalesce(h.used, 0)
            or h.of_another or s.used_energy < 0 or s.held_energy < 0
            or s.used_energy + s.held_energy > s.quota_energy)`,
    },
  },
  {
    kind: 'charge_missing',
    of: 'holds',
    nextStep:
      'Compare the order with the chain (delegation:show): a delegation that landed must have been charged once.',
    statement: {
      name: 'audit_charge_missing',
      text: `
        select 'delegation ' || h.delegation_id as subject,
               format('%s TRX were taken, its charge is of %s', ${trx('h.amount_sun')}, ${trx('coalesce(-e.amount_sun, 0)')}) as reason
        from holds h
        left join lateral (
          select user_id, amount_sun from ledger_entries where delegation_id = h.delegation_id and kind = 'charge' limit 1
        ) e on true
        where h.delegation_id = any($1::uuid[]) and h.state = 'taken'
          and h.amount_sun <> case when e.user_id = h.user_id then -e.amount_sun else 0 end`,
    },
  },
  {
    kind: 'charge_unfounded',
    of: 'ledger_entries',
    nextStep: 'Give the money back by balance:credit with the delegation as its note.',
    statement: {
      name: 'audit_charge_unfounded',
      text: `
        with e as materialized (
          select id, user_id, kind, amount_sun, delegation_id from ledger_entries where id = any($1::bigint[])
        )
        select 'ledger entry ' || e.id as subject,
               format('charges %s TRX for delegation %s, %s', ${trx('-e.amount_sun')}, e.delegation_id,
                 case when h.state is null then 'which holds nothing'
                      when h.user_id <> e.user_id then 'which is of another user'
                      else 'whose hold is ' || h.state end) as reason
        from e
        left join lateral (select state, user_id from holds where delegation_id = e.delegation_id limit 1) h on true
        where e.kind = 'charge' and (h.state is distinct from 'taken' or h.user_id <> e.user_id)`,
    },
  },
];
