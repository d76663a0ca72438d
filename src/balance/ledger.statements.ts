import type { Statement } from '../database/sql';
import { utcMicroseconds } from '../database/utc-timestamp';

/** Movements of an account come one after another: only so can a reference be looked for first, and then be used once. */
export const LOCK_ACCOUNT: Statement = {
  name: 'ledger_lock_account',
  text: 'select balance_sun from accounts where user_id = $1 for update',
};

/**
 * $1 user, $2 kind, $3 signed amount, $4 note, $5 reference. Nothing when the balance less what is held would go below
 * zero or past what the column holds.
 */
export const MOVE: Statement = {
  name: 'ledger_move',
  text: `
    with account as (
      update accounts
      set balance_sun = balance_sun + $3::bigint,
          updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      where user_id = $1 and balance_sun::numeric + $3::bigint between held_sun and 9223372036854775807
      returning user_id, balance_sun
    )
    insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, reference, note)
    select user_id, clock_timestamp(), $2, $3::bigint, balance_sun, $5, $4 from account
    returning balance_sun, ${utcMicroseconds('at')} as at`,
};

export const FIND_REFERENCE: Statement = {
  name: 'ledger_find_reference',
  text: `
    select kind, amount_sun, ${utcMicroseconds('at')} as at from ledger_entries where user_id = $1 and reference = $2`,
};

/** $2: only entries before this one (null: the newest first); $3: how many (null: all). */
export const LIST_ENTRIES: Statement = {
  name: 'ledger_list',
  text: `
    select id, ${utcMicroseconds('at')} as at, kind, amount_sun, balance_sun, delegation_id, reference, note
    from ledger_entries
    where user_id = $1 and id < coalesce($2::bigint, 9223372036854775807)
    order by id desc
    limit $3::bigint`,
};
