import { trx } from '../../database/trx.sql';
import type { Check } from './check';

const STOP =
  'Stop orders of this user (user:disable), compare the ledger with a backup, then correct by credit or debit.';

/**
 * Every entry is its predecessor's balance and its own amount, and the account's balance is its last entry's: together
 * that the entries add up to the balance, without ever adding up all entries of a user in one statement. Entries are looked
 * for in the order of (user, id), which one index alone has: by id alone, a plan may read everybody else's on the way.
 */
export const LEDGER_CHECKS: readonly Check[] = [
  {
    kind: 'ledger_sum',
    of: 'accounts',
    nextStep: STOP,
    statement: {
      name: 'audit_ledger_sum',
      text: `
        select 'user ' || a.user_id as subject,
               format('the balance is %s TRX, after the last entry it was %s', ${trx('a.balance_sun')}, ${trx('coalesce(e.balance_sun, 0)')}) as reason
        from accounts a
        left join lateral (
          select user_id, balance_sun from ledger_entries where user_id <= a.user_id order by user_id desc, id desc limit 1
        ) e on e.user_id = a.user_id
        where a.user_id = any($1::uuid[]) and a.balance_sun <> coalesce(e.balance_sun, 0)`,
    },
  },
  {
    kind: 'ledger_running_balance',
    of: 'ledger_entries',
    nextStep: STOP,
    statement: {
      name: 'audit_ledger_running_balance',
      text: `
        select 'ledger entry ' || e.id as subject,
               format('its balance is %s TRX, the one before it and its amount add up to %s',
                 ${trx('e.balance_sun')}, ${trx('coalesce(before.balance_sun, 0)::numeric + e.amount_sun')}) as reason
        from ledger_entries e
        left join lateral (
          select b.user_id, b.balance_sun from ledger_entries b where (b.user_id, b.id) < (e.user_id, e.id)
          order by b.user_id desc, b.id desc limit 1
        ) before on before.user_id = e.user_id
        where e.id = any($1::bigint[]) and e.balance_sun <> coalesce(before.balance_sun, 0)::numeric + e.amount_sun`,
    },
  },
  {
    kind: 'ledger_sign',
    of: 'ledger_entries',
    nextStep: STOP,
    statement: {
      name: 'audit_ledger_sign',
      text: `
        select 'ledger entry ' || id as subject, format('a %s of %s TRX', kind, ${trx('amount_sun')}) as reason
        from ledger_entries
        where id = any($1::bigint[]) and (kind = 'credit') <> (amount_sun > 0)`,
    },
  },
  {
    kind: 'account_missing',
    of: 'users',
    nextStep: 'Insert the account row; until then the user can neither order nor read a balance.',
    statement: {
      name: 'audit_account_missing',
      text: `
        select 'user ' || u.id as subject, 'has no account' as reason
        from users u
        where u.id = any($1::uuid[]) and not exists (select from accounts a where a.user_id = u.id)`,
    },
  },
  {
    kind: 'account_negative',
    of: 'accounts',
    nextStep: STOP,
    statement: {
      name: 'audit_account_negative',
      text: `
        select 'user ' || user_id as subject, format('balance %s TRX, held %s', ${trx('balance_sun')}, ${trx('held_sun')}) as reason
        from accounts
        where user_id = any($1::uuid[]) and (balance_sun < 0 or held_sun < 0 or held_sun > balance_sun)`,
    },
  },
];
