import { statement } from '../database/statement';

/*
 * Locks are always taken in this order, whatever the statement: the hold, the account, the subscription, a pool wallet. Data-modifying
 * parts of one statement run in no fixed order, so each part reads from the one whose lock must come before its own.
 * The account's lock comes first even when a subscription pays: a subscription that stops covering the order while its
 * lock is awaited stays locked, and the balance, locked after it, would close a circle with an order that needs both.
 * Who takes any of them out of this order skips what is locked, and so waits for nobody.
 */

export const READ_UNIT_PRICE = statement<[userId: string], { unit_price_sun: bigint | null }>(
  'billing_unit_price',
  'select unit_price_sun from accounts where user_id = $1',
);

/**
 * What an order needs beside its payment, decided in the statement that holds it. `parts` come behind the locks of accounts and
 * subscriptions (`payer`, `chosen`), `met` is true of an order `o` that has it, `effects` follow the holds that were written (`hold`).
 */
export interface AlsoNeeded {
  /** Of an order's JSON. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly parts: string;
  readonly met: string;
  readonly effects: string;
}

/** The orders as JSON, then what `parts` ask for. */
export type HoldParams = [orders: string, ...parts: string[]];

export interface HoldRow {
  readonly delegation_id: string;
  readonly met: boolean;
  readonly amount_sun: bigint | null;
  readonly subscription_id: string | null;
}

const NOTHING_ELSE: AlsoNeeded = { columns: [], parts: '', met: 'true', effects: '' };

type Columns = AlsoNeeded['columns'];
const names = (columns: Columns) => columns.map(([name]) => `, ${name}`).join('');
const types = (columns: Columns) => columns.map(([name, type]) => `, ${name} ${type}`).join('');

/**
 * $1: orders of different users, as JSON. Their costs are `from_balance_sun` if the balance pays (null: more than any balance has)
 * and `from_quota_sun` if quota pays. Gives a row for each order whose account it has locked; an amount only if that can pay and
 * the order has what it needs beside (`met`): then nothing else is held either.
 * Under its lock `payer` is the newest truth, while the update first meets the account as the statement's snapshot has it
 * and checks the table's constraints on that: so it writes from `payer`, or an old row would refuse what the new one allows.
 */
export const holdText = (locked: '' | 'skip locked', { columns, parts, met, effects } = NOTHING_ELSE): string => `
    with wanted as (
      select delegation_id, user_id, energy, from_balance_sun, from_quota_sun${names(columns)}
        from json_to_recordset($1::json)
          as o (delegation_id uuid, user_id uuid, energy bigint, from_balance_sun bigint, from_quota_sun bigint${types(columns)})
    ), payer as (
      select user_id, balance_sun, held_sun, balance_sun - held_sun as spendable
      from accounts where user_id = any(array(select user_id from wanted)) order by user_id for update ${locked}
    ), chosen as (
      select o.delegation_id, s.id
      from wanted o
      join payer using (user_id)
      cross join lateral (
        select s.id
        from subscriptions s
        where s.user_id = o.user_id and payer.spendable >= o.from_quota_sun
          and s.valid_from <= clock_timestamp() and s.valid_until > clock_timestamp()
          and s.quota_energy - s.used_energy - s.held_energy >= o.energy
        order by s.valid_until, s.id
        limit 1
        for update
      ) s
    )${parts}, quota as (
      update subscriptions s set held_energy = s.held_energy + o.energy
      from chosen join wanted o using (delegation_id) where s.id = chosen.id and ${met}
      returning s.id, o.delegation_id
    ), due as (
      select o.delegation_id, o.user_id, o.energy, quota.id as subscription_id, payer.spendable, ${met} as met,
             case when quota.id is null then o.from_balance_sun else o.from_quota_sun end as amount_sun
      from wanted o join payer using (user_id) left join quota using (delegation_id)
    ), hold as (
      insert into holds (delegation_id, user_id, amount_sun, subscription_id, quota_energy)
      select delegation_id, user_id, amount_sun, subscription_id, case when subscription_id is null then 0 else energy end
      from due where met and amount_sun <= spendable
      returning delegation_id, user_id, amount_sun, subscription_id
    ), account as (
      update accounts a
      set balance_sun = payer.balance_sun,
          held_sun = payer.held_sun + hold.amount_sun,
          updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')
      from payer join hold using (user_id)
      where a.user_id = payer.user_id and hold.amount_sun > 0
    )${effects}
    select due.delegation_id, due.met, hold.amount_sun, hold.subscription_id
    from due left join hold using (delegation_id)`;

export const HOLD = statement<HoldParams, HoldRow>('billing_hold', holdText(''));

/** What `HOLD` would find, without a lock. $1 user, $2 energy, $3 cost if the balance pays, $4 cost if quota pays. */
export const CAN_PAY = statement<
  [userId: string, energy: bigint, fromBalanceSun: bigint | null, fromQuotaSun: bigint],
  { payable: boolean }
>(
  'billing_can_pay',
  `
    select coalesce(spendable >= $3::bigint, false) or (spendable >= $4::bigint and exists (
      select from subscriptions s
      where s.user_id = $1
        and s.valid_from <= clock_timestamp() and s.valid_until > clock_timestamp()
        and s.quota_energy - s.used_energy - s.held_energy >= $2::bigint
    )) as payable
    from (select balance_sun - held_sun as spendable from accounts where user_id = $1) a`,
);

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
      insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, delegation_id)
      select user_id, clock_timestamp(), 'charge', -amount_sun, balance_sun, $1 from account
    ), quota as (
      update subscriptions s
      set used_energy = s.used_energy + h.quota_energy, held_energy = s.held_energy - h.quota_energy
      from settled h join payer using (user_id)
      where s.id = h.subscription_id
    )
    select from settled`,
);

export const RELEASE = statement<[orderId: string], object>(
  'billing_release',
  `
    with settled as (
      update holds set state = 'released', settled_at = clock_timestamp()
      where delegation_id = $1 and state = 'held'
      returning user_id, amount_sun, subscription_id, quota_energy
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
    )
    select from settled`,
);
