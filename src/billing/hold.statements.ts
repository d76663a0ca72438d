import type { Statement } from '../database/sql';

/*
 * Locks are always taken in this order, whatever the statement: the hold, the account, the subscription. Data-modifying
 * parts of one statement run in no fixed order, so each part reads from the one whose lock must come before its own.
 * The account's lock comes first even when a subscription pays: a subscription that stops covering the order while its
 * lock is awaited stays locked, and the balance, locked after it, would close a circle with an order that needs both.
 */

export const READ_UNIT_PRICE: Statement = {
  name: 'billing_unit_price',
  text: 'select unit_price_sun from accounts where user_id = $1',
};

/**
 * $1 delegation, $2 user, $3 energy, $4 cost if the balance pays (null: more than any balance has), $5 cost if quota pays.
 * Under its lock `payer` is the newest truth, while the update first meets the account as the statement's snapshot has it
 * and checks the table's constraints on that: so it writes from `payer`, or an old row would refuse what the new one allows.
 */
export const HOLD: Statement = {
  name: 'billing_hold',
  text: `
    with payer as (
      select user_id, balance_sun, held_sun, balance_sun - held_sun as spendable
      from accounts where user_id = $2 for update
    ), chosen as (
      select s.id
      from subscriptions s
      where s.user_id = (select user_id from payer where spendable >= $5::bigint)
        and s.valid_from <= clock_timestamp() and s.valid_until > clock_timestamp()
        and s.quota_energy - s.used_energy - s.held_energy >= $3::bigint
      order by s.valid_until, s.id
      limit 1
      for update
    ), quota as (
      update subscriptions s set held_energy = s.held_energy + $3::bigint
      from chosen where s.id = chosen.id
      returning s.id
    ), due as (
      select payer.user_id, quota.id as subscription_id, payer.spendable,
             case when quota.id is null then $4::bigint else $5::bigint end as amount_sun
      from payer left join quota on true
    ), hold as (
      insert into holds (delegation_id, user_id, amount_sun, subscription_id, quota_energy)
      select $1, user_id, amount_sun, subscription_id, case when subscription_id is null then 0 else $3::bigint end
      from due where amount_sun <= spendable
      returning user_id, amount_sun, subscription_id
    ), account as (
      update accounts a
      set balance_sun = payer.balance_sun,
          held_sun = payer.held_sun + hold.amount_sun,
          updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')
      from payer join hold using (user_id)
      where a.user_id = payer.user_id and hold.amount_sun > 0
    )
    select amount_sun, subscription_id from hold`,
};

/** What `HOLD` would find, without a lock. Parameters as there, from the user on. */
export const CAN_PAY: Statement = {
  name: 'billing_can_pay',
  text: `
    select coalesce(spendable >= $3::bigint, false) or (spendable >= $4::bigint and exists (
      select from subscriptions s
      where s.user_id = $1
        and s.valid_from <= clock_timestamp() and s.valid_until > clock_timestamp()
        and s.quota_energy - s.used_energy - s.held_energy >= $2::bigint
    )) as payable
    from (select balance_sun - held_sun as spendable from accounts where user_id = $1) a`,
};

/** What can be spent stays as it is, and so does `updated_at`. An expired subscription still pays what it promised. */
export const TAKE: Statement = {
  name: 'billing_take',
  text: `
    with settled as (
      update holds set state = 'taken', settled_at = clock_timestamp()
      where delegation_id = $1 and state = 'held'
      returning user_id, amount_sun, subscription_id, quota_energy
    ), account as (
      update accounts a set balance_sun = a.balance_sun - h.amount_sun, held_sun = a.held_sun - h.amount_sun
      from settled h where a.user_id = h.user_id and h.amount_sun > 0
      returning a.user_id, a.balance_sun, h.amount_sun
    ), entry as (
      insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, delegation_id)
      select user_id, clock_timestamp(), 'charge', -amount_sun, balance_sun, $1 from account
    ), quota as (
      update subscriptions s
      set used_energy = s.used_energy + h.quota_energy, held_energy = s.held_energy - h.quota_energy
      from settled h left join account on account.user_id = h.user_id
      where s.id = h.subscription_id
    )
    select from settled`,
};

export const RELEASE: Statement = {
  name: 'billing_release',
  text: `
    with settled as (
      update holds set state = 'released', settled_at = clock_timestamp()
      where delegation_id = $1 and state = 'held'
      returning user_id, amount_sun, subscription_id, quota_energy
    ), account as (
      update accounts a
      set held_sun = a.held_sun - h.amount_sun,
          updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')
      from settled h where a.user_id = h.user_id and h.amount_sun > 0
      returning a.user_id
    ), quota as (
      update subscriptions s set held_energy = s.held_energy - h.quota_energy
      from settled h left join account on account.user_id = h.user_id
      where s.id = h.subscription_id
    )
    select from settled`,
};
