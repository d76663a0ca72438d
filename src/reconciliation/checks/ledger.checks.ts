import { type Check, rowCheck } from './check';

/** As `referenceOf` and `manualReference` make it. */
const REFERENCE_OF_DEPOSIT = `case when d.txid is null then 'deposit ' || d.id else d.txid || ':' || d.index end`;

/**
 * Every entry is its predecessor's balance and its own amount, and the account's balance is its last entry's: together
 * that the entries add up to the balance, without ever adding up all entries of a user in one statement. Entries are looked
 * for in the order of (user, id), which one index alone has: by id alone, a plan may read everybody else's on the way.
 */
export const LEDGER_CHECKS: readonly Check[] = [
  rowCheck(
    'ledger_sum',
    'accounts',
    'user',
    `select a.user_id as subject_id, a.balance_sun::text as balance_sun, coalesce(e.balance_sun, 0)::text as last_entry_sun
       from accounts a
       left join lateral (
         select user_id, balance_sun from ledger_entries where user_id <= a.user_id order by user_id desc, id desc limit 1
       ) e on e.user_id = a.user_id
      where a.user_id = any($1::uuid[]) and a.balance_sun <> coalesce(e.balance_sun, 0)`,
  ),
  rowCheck(
    'ledger_running_balance',
    'ledger_entries',
    'ledger_entry',
    `select e.id::text as subject_id, e.balance_sun::text as balance_sun,
            (coalesce(before.balance_sun, 0)::numeric + e.amount_sun)::text as expected_sun
       from ledger_entries e
       left join lateral (
         select b.user_id, b.balance_sun from ledger_entries b where (b.user_id, b.id) < (e.user_id, e.id)
         order by b.user_id desc, b.id desc limit 1
       ) before on before.user_id = e.user_id
      where e.id = any($1::bigint[]) and e.balance_sun <> coalesce(before.balance_sun, 0)::numeric + e.amount_sun`,
  ),
  rowCheck(
    'ledger_sign',
    'ledger_entries',
    'ledger_entry',
    `select id::text as subject_id, kind as entry_kind, amount_sun::text as amount_sun
       from ledger_entries
      where id = any($1::bigint[]) and (kind in ('credit', 'deposit')) <> (amount_sun > 0)`,
  ),
  rowCheck(
    'sale_missing',
    'subscriptions',
    'subscription',
    `select s.id as subject_id, s.price_sun::text as price_sun, coalesce(-e.amount_sun, 0)::text as paid_sun
       from subscriptions s
       left join lateral (
         select user_id, amount_sun from ledger_entries where subscription_id = s.id and kind = 'quota' limit 1
       ) e on e.user_id = s.user_id
      where s.id = any($1::uuid[]) and s.price_sun is not null and s.price_sun is distinct from -e.amount_sun`,
  ),
  rowCheck(
    'sale_unfounded',
    'ledger_entries',
    'ledger_entry',
    `with e as materialized (
       select id, user_id, kind, amount_sun, subscription_id from ledger_entries where id = any($1::bigint[])
     )
     select e.id::text as subject_id, (-e.amount_sun)::text as price_sun, e.subscription_id::text as subscription_id
       from e
       left join lateral (select user_id, price_sun from subscriptions where id = e.subscription_id limit 1) s on true
      where e.kind = 'quota' and (s.price_sun is distinct from -e.amount_sun or s.user_id <> e.user_id)`,
  ),
  rowCheck(
    'deposit_missing',
    'deposits',
    'deposit',
    `select d.id as subject_id, d.credit_sun::text as credit_sun, coalesce(e.amount_sun, 0)::text as booked_sun
       from deposits d
       left join lateral (
         select user_id, amount_sun from ledger_entries where kind = 'deposit' and reference = ${REFERENCE_OF_DEPOSIT} limit 1
       ) e on e.user_id = d.user_id
      where d.id = any($1::uuid[]) and d.state = 'credited' and d.credit_sun is distinct from e.amount_sun`,
  ),
  rowCheck(
    'deposit_unfounded',
    'ledger_entries',
    'ledger_entry',
    `with e as materialized (
       select id, user_id, amount_sun, reference from ledger_entries where id = any($1::bigint[]) and kind = 'deposit'
     )
     select e.id::text as subject_id, e.amount_sun::text as amount_sun, coalesce(e.reference, '-') as reference
       from e
      where not exists (
        select from deposits d
         where d.user_id = e.user_id and d.state = 'credited' and d.credit_sun = e.amount_sun
           and (d.txid = split_part(e.reference, ':', 1) or d.id = case when e.reference ~ '^deposit [0-9a-f-]{36}$' then substr(e.reference, 9)::uuid end)
           and ${REFERENCE_OF_DEPOSIT} = e.reference)`,
  ),
  rowCheck(
    'account_missing',
    'users',
    'user',
    `select u.id as subject_id
       from users u
      where u.id = any($1::uuid[]) and not exists (select from accounts a where a.user_id = u.id)`,
  ),
  rowCheck(
    'account_negative',
    'accounts',
    'user',
    `select user_id as subject_id, balance_sun::text as balance_sun, held_sun::text as held_sun
       from accounts
      where user_id = any($1::uuid[]) and (balance_sun < 0 or held_sun < 0 or held_sun > balance_sun)`,
  ),
];
