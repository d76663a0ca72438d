import { type Check, rowCheck } from './check';

/**
 * Holds against what they hold and what they became. Each row looks up the other by its key (`limit 1`, `materialized`): with
 * statistics of before most rows were there, a plan may otherwise read all charges for each of them.
 */
export const HOLD_CHECKS: readonly Check[] = [
  rowCheck(
    'account_held',
    'accounts',
    'user',
    `select a.user_id as subject_id, a.held_sun::text as held_sun, coalesce(h.total, 0)::text as holds_sun
       from accounts a
       left join lateral (
         select sum(amount_sun) as total from holds where user_id = a.user_id and state = 'held'
       ) h on true
      where a.user_id = any($1::uuid[]) and a.held_sun <> coalesce(h.total, 0)`,
  ),
  rowCheck(
    'quota',
    'subscriptions',
    'subscription',
    `select s.id as subject_id, s.used_energy::text as used_energy, s.held_energy::text as held_energy,
            s.quota_energy::text as quota_energy, coalesce(h.used, 0)::text as holds_used_energy,
            coalesce(h.held, 0)::text as holds_held_energy
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
  ),
  rowCheck(
    'token_used',
    'token_days',
    'token_day',
    `select d.id::text as subject_id, d.token_id::text as token_id, d.day::text as day, d.used_sun::text as used_sun,
            coalesce(h.total, 0)::text as holds_sun
       from token_days d
       left join lateral (
         select sum(counted_sun) as total from holds where token_day_id = d.id and state <> 'released'
       ) h on true
      where d.id = any($1::bigint[]) and d.used_sun <> coalesce(h.total, 0)`,
  ),
  rowCheck(
    'token_count',
    'holds',
    'delegation',
    `select h.delegation_id as subject_id, coalesce(h.counted_sun, 0)::text as counted_sun, h.amount_sun::text as held_sun
       from holds h
      where h.delegation_id = any($1::uuid[]) and h.token_day_id is not null
        and (h.counted_sun is null or h.counted_sun < h.amount_sun
          or h.subscription_id is null and h.counted_sun <> h.amount_sun
          or not exists (select from token_days d join api_tokens t on t.id = d.token_id
                          where d.id = h.token_day_id and t.user_id = h.user_id))`,
  ),
  rowCheck(
    'charge_missing',
    'holds',
    'delegation',
    `select h.delegation_id as subject_id, h.amount_sun::text as taken_sun, coalesce(-e.amount_sun, 0)::text as charge_sun
       from holds h
       left join lateral (
         select user_id, amount_sun from ledger_entries where delegation_id = h.delegation_id and kind = 'charge' limit 1
       ) e on true
      where h.delegation_id = any($1::uuid[]) and h.state = 'taken'
        and h.amount_sun <> case when e.user_id = h.user_id then -e.amount_sun else 0 end`,
  ),
  rowCheck(
    'charge_unfounded',
    'ledger_entries',
    'ledger_entry',
    `with e as materialized (
       select id, user_id, kind, amount_sun, delegation_id from ledger_entries where id = any($1::bigint[])
     )
     select e.id::text as subject_id, (-e.amount_sun)::text as charge_sun, coalesce(e.delegation_id::text, '') as delegation_id,
            case when h.state is null then 'none' when h.user_id <> e.user_id then 'of_another_user' else h.state end as hold
       from e
       left join lateral (select state, user_id from holds where delegation_id = e.delegation_id limit 1) h on true
      where e.kind = 'charge' and (h.state is distinct from 'taken' or h.user_id <> e.user_id)`,
  ),
];
