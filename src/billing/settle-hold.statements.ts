import { statement } from '../database/statement';

/* Locks as `hold.statements.ts` has them. */

/** First in its transaction: who waits for an account holds nothing that others could want meanwhile. */
export const AWAIT_ACCOUNT = statement<[userId: string]>(
  'billing_await_account',
  'select user_id from accounts where user_id = $1 for update',
);

/** Locks all that settling the open holds of these orders changes, and waits for none of it: gives the orders that lack something. */
export const LOCK_TO_SETTLE = statement<[orderIds: readonly string[]], { delegation_id: string }>(
  'billing_lock_to_settle',
  `
    with open as (
      select delegation_id, user_id, subscription_id from holds where delegation_id = any($1::uuid[]) and state = 'held'
    ), hold as (
      select delegation_id from holds where delegation_id = any($1::uuid[]) and state = 'held'
      order by delegation_id for update skip locked
    ), account as (
      select user_id from accounts where user_id = any(array(select user_id from open))
      order by user_id for update skip locked
    ), quota as (
      select id from subscriptions where id = any(array(select subscription_id from open))
      order by id for update skip locked
    )
    select delegation_id from open
    where not (delegation_id in (select delegation_id from hold)
               and user_id in (select user_id from account)
               and (subscription_id is null or subscription_id in (select id from quota)))`,
);

/** An open hold, then its account. */
export const LOCK_HOLD = statement<[orderId: string], { user_id: string }>(
  'billing_lock_hold',
  `
    with hold as (
      select user_id from holds where delegation_id = $1 and state = 'held' for update
    )
    select user_id from accounts where user_id = (select user_id from hold) for update`,
);

/** Lowers a hold that is locked with its account. The token's day counts so much less, too. */
export const LOWER = statement<[orderId: string, bySun: bigint]>(
  'billing_lower',
  `
    with lowered as (
      update holds set amount_sun = amount_sun - $2::bigint, counted_sun = counted_sun - $2::bigint
      where delegation_id = $1 and state = 'held'
      returning user_id, token_day_id
    ), account as (
      update accounts a
      set held_sun = a.held_sun - $2::bigint,
          updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')
      from lowered h where a.user_id = h.user_id
    )
    update token_days d set used_sun = greatest(d.used_sun - $2::bigint, 0) from lowered h where d.id = h.token_day_id`,
);

/** What can be spent stays as it is, and so does `updated_at`. An expired subscription still pays what it promised. */
export const TAKE = statement<[orderId: string], object>(
  'billing_take',
  `
    with settled as (
      update holds set state = 'taken', settled_at = clock_timestamp()
      where delegation_id = $1 and state = 'held'
      returning user_id, amount_sun, subscription_id, quota_energy
    ), payer as (
      select user_id from accounts where user_id = (select user_id from settled) for update
    ), account as (
      update accounts a set balance_sun = a.balance_sun - h.amount_sun, held_sun = a.held_sun - h.amount_sun
      from settled h join payer using (user_id) where a.user_id = h.user_id and h.amount_sun > 0
      returning a.user_id, a.balance_sun, h.amount_sun
    ), entry as (
      insert into ledger_entries (user_id, kind, amount_sun, balance_sun, delegation_id)
      select user_id, 'charge', -amount_sun, balance_sun, $1 from account
    ), quota as (
      update subscriptions s
      set used_energy = s.used_energy + h.quota_energy, held_energy = s.held_energy - h.quota_energy
      from settled h join payer using (user_id)
      where s.id = h.subscription_id
    )
    select from settled`,
);

/** A day that says too little is found by reconciliation; it keeps no money from being given back. */
export const RELEASE = statement<[orderId: string], object>(
  'billing_release',
  `
    with settled as (
      update holds set state = 'released', settled_at = clock_timestamp()
      where delegation_id = $1 and state = 'held'
      returning user_id, amount_sun, subscription_id, quota_energy, token_day_id, counted_sun
    ), payer as (
      select user_id from accounts where user_id = (select user_id from settled) for update
    ), account as (
      update accounts a
      set held_sun = a.held_sun - h.amount_sun,
          updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')
      from settled h join payer using (user_id) where a.user_id = h.user_id and h.amount_sun > 0
    ), quota as (
      update subscriptions s set held_energy = s.held_energy - h.quota_energy
      from settled h join payer using (user_id)
      where s.id = h.subscription_id
    ), token_day as (
      update token_days d set used_sun = greatest(d.used_sun - h.counted_sun, 0)
      from settled h join payer using (user_id)
      where d.id = h.token_day_id
    )
    select from settled`,
);
