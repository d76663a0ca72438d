import type { AuditCheck } from './audit-check';

const STOP =
  'Stop orders of this user (user:disable), compare the ledger with a backup, then correct by credit or debit.';

export const LEDGER_CHECKS: readonly AuditCheck[] = [
  {
    kind: 'ledger_sum',
    nextStep: STOP,
    statement: {
      name: 'audit_ledger_sum',
      text: `
        select 'user ' || a.user_id as subject,
               format('the balance is %s sun, the entries add up to %s', a.balance_sun, coalesce(e.total, 0)) as reason
        from accounts a
        left join (select user_id, sum(amount_sun) as total from ledger_entries group by user_id) e using (user_id)
        where a.balance_sun <> coalesce(e.total, 0)`,
    },
  },
  {
    kind: 'ledger_running_balance',
    nextStep: STOP,
    statement: {
      name: 'audit_ledger_running_balance',
      text: `
        select 'ledger entry ' || id as subject,
               format('its balance is %s sun, the entries up to it add up to %s', balance_sun, running) as reason
        from (
          select id, balance_sun, sum(amount_sun) over (partition by user_id order by id) as running from ledger_entries
        ) e
        where balance_sun <> running`,
    },
  },
  {
    kind: 'ledger_sign',
    nextStep: STOP,
    statement: {
      name: 'audit_ledger_sign',
      text: `
        select 'ledger entry ' || id as subject, format('a %s of %s sun', kind, amount_sun) as reason
        from ledger_entries
        where (kind = 'credit') <> (amount_sun > 0)`,
    },
  },
  {
    kind: 'account_missing',
    nextStep: 'Insert the account row; until then the user can neither order nor read a balance.',
    statement: {
      name: 'audit_account_missing',
      text: `
        select 'user ' || u.id as subject, 'has no account' as reason
        from users u
        where not exists (select from accounts a where a.user_id = u.id)`,
    },
  },
  {
    kind: 'account_negative',
    nextStep: STOP,
    statement: {
      name: 'audit_account_negative',
      text: `
        select 'user ' || user_id as subject, format('balance %s sun, held %s', balance_sun, held_sun) as reason
        from accounts
        where balance_sun < 0 or held_sun < 0 or held_sun > balance_sun`,
    },
  },
];
