import { idsBetween } from '../database/ids-between.sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { LedgerKind } from './balance.entities';

export interface LedgerEntryView {
  readonly id: bigint;
  readonly at: string;
  readonly kind: LedgerKind;
  readonly amountSun: bigint;
  readonly balanceSun: bigint;
  readonly delegationId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
}

/** `from` is part of it, `to` is not. */
export interface TimeRange {
  readonly from?: Date | null;
  readonly to?: Date | null;
}

export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

export interface LedgerPage extends TimeRange {
  readonly limit?: number;
  readonly beforeId?: bigint;
  /** The numbers of its range, when they are known. */
  readonly ids?: IdRange;
  /** Null: every kind. */
  readonly kind?: LedgerKind | null;
}

type Booked = Pick<LedgerEntryView, 'balanceSun' | 'at'>;
export type Referenced = Pick<LedgerEntryView, 'kind' | 'amountSun' | 'at'> & { readonly reference: string };

/** Movements of an account come one after another: only so can a reference be looked for first, and then be used once. */
export const LOCK_ACCOUNT = statement<[userId: string], { balance_sun: bigint }>(
  'ledger_lock_account',
  'select balance_sun from accounts where user_id = $1 for update',
);

/** $3 is signed: a debit is negative. None when the balance less what is held would go below zero, or past what the column holds. */
export const MOVE = statement<
  [userId: string, kind: LedgerKind, amountSun: bigint, note: string, reference: string | null],
  Booked
>(
  'ledger_move',
  `
    with account as (
      update accounts
      set balance_sun = balance_sun + $3::bigint,
          updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      where user_id = $1 and balance_sun::numeric + $3::bigint between held_sun and 9223372036854775807
      returning user_id, balance_sun
    )
    insert into ledger_entries (user_id, kind, amount_sun, balance_sun, reference, note)
    select user_id, $2, $3::bigint, balance_sun, $5, $4 from account
    returning balance_sun as "balanceSun", ${utcMicroseconds('at')} as at`,
);

/** Prepaid quota, paid from what can be spent: as a debit, none when that is less than the price. */
export const SELL_FROM_BALANCE = statement<
  [userId: string, subscriptionId: string, priceSun: bigint, note: string, reference: string],
  Booked
>(
  'ledger_sell_from_balance',
  `
    with account as (
      update accounts
      set balance_sun = balance_sun - $3::bigint,
          updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      where user_id = $1 and balance_sun - held_sun >= $3::bigint
      returning user_id, balance_sun
    )
    insert into ledger_entries (user_id, kind, amount_sun, balance_sun, subscription_id, reference, note)
    select user_id, 'quota', -$3::bigint, balance_sun, $2::uuid, $5, $4 from account
    returning balance_sun as "balanceSun", ${utcMicroseconds('at')} as at`,
);

/**
 * The same, paid outside of the balance: the payment comes in and goes out again, and the account stays as it is, so that nothing is told
 * of a low balance. Two rows that are numbered in this order. None when the balance could not hold the payment for that moment.
 */
export const SELL_BY_REFERENCE = statement<
  [userId: string, subscriptionId: string, priceSun: bigint, note: string, reference: string],
  Booked
>(
  'ledger_sell_by_reference',
  `
    insert into ledger_entries (user_id, kind, amount_sun, balance_sun, subscription_id, reference, note)
    select a.user_id, o.kind, o.amount_sun, o.balance_sun::bigint, $2::uuid, o.reference, $4
    from accounts a
    cross join lateral (values
      (1, 'credit', $3::bigint, a.balance_sun::numeric + $3::bigint, $5::text),
      (2, 'quota', -$3::bigint, a.balance_sun::numeric, null)
    ) o (n, kind, amount_sun, balance_sun, reference)
    where a.user_id = $1 and a.balance_sun::numeric + $3::bigint <= 9223372036854775807
    order by o.n
    returning balance_sun as "balanceSun", ${utcMicroseconds('at')} as at`,
);

/** The first reference that is used. */
export const FIND_REFERENCE = statement<[userId: string, references: readonly string[]], Referenced>(
  'ledger_find_reference',
  `
    select reference, kind, amount_sun as "amountSun", ${utcMicroseconds('at')} as at from ledger_entries
    where user_id = $1 and reference = any($2::text[]) order by array_position($2::text[], reference) limit 1`,
);

/** Quota that was given for a payment: no movement has its reference. */
export const FIND_QUOTA = statement<[userId: string, references: readonly string[]], { reference: string }>(
  'ledger_find_quota_with_reference',
  'select reference from subscriptions where user_id = $1 and reference = any($2::text[]) limit 1',
);

/** The one account that this transfer has refunded. */
export const FIND_REFUND = statement<[txid: string], { userId: string }>(
  'ledger_find_refund',
  `select user_id as "userId" from ledger_entries where kind = 'refund' and reference = $1`,
);

export const FIND_OTHER = statement<[userId: string, references: readonly string[]], { email: string }>(
  'ledger_find_other_with_reference',
  `
    select u.email from ledger_entries e join users u on u.id = e.user_id
    where e.reference = any($2::text[]) and e.user_id <> $1 limit 1`,
);

export interface ReferencedMovement {
  readonly userId: string;
  readonly user: string;
  readonly kind: LedgerKind;
  readonly amountSun: bigint;
  readonly at: string;
}

/** Each user may have used it once. */
export const BY_REFERENCE = statement<[reference: string, userId: string | null, limit: number], ReferencedMovement>(
  'search_reference',
  `select e.user_id as "userId", u.email as user, e.kind, e.amount_sun as "amountSun", ${utcMicroseconds('e.at')} as at
     from ledger_entries e join users u on u.id = e.user_id
    where e.reference = $1 and ($2::uuid is null or e.user_id = $2) order by e.at desc limit $3`,
);

export const NEWEST = statement<[], { id: bigint }>(
  'ledger_newest',
  'select id from ledger_entries order by id desc limit 1',
);

/** The numbers of a user's entries of a range of times. */
export const IDS_BETWEEN = statement<[userId: string, from: Date | null, to: Date | null], IdRange>(
  'ledger_ids_between',
  idsBetween(
    'ledger_entries',
    `user_id = $1 and at >= coalesce($2::timestamptz, '-infinity') and at < coalesce($3::timestamptz, 'infinity')`,
  ),
);

export const LIST = statement<
  [
    userId: string,
    beforeId: bigint | null,
    limit: number | null,
    from: Date | null,
    to: Date | null,
    firstId: bigint,
    lastId: bigint,
    kind: LedgerKind | null,
  ],
  LedgerEntryView
>(
  'ledger_list',
  `
    select id, ${utcMicroseconds('at')} as at, kind, amount_sun as "amountSun", balance_sun as "balanceSun",
           delegation_id as "delegationId", reference, note
    from ledger_entries
    where user_id = $1 and id < coalesce($2::bigint, 9223372036854775807)
      and id between $6 and $7
      and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)
      and ($8::text is null or kind = $8)
    order by id desc
    limit $3::bigint`,
);
