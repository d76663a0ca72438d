import type { LedgerKind } from '../../balance/balance.entities';
import { statement } from '../../database/statement';
import { utcMicroseconds } from '../../database/utc-timestamp';

type OfAccount = [userId: string, from: Date, to: Date];

interface Ends {
  readonly opening_sun: bigint;
  readonly closing_sun: bigint;
}

const lastBefore = (edge: string): string =>
  `(select balance_sun from ledger_entries where user_id = $1 and at < ${edge} order by at desc, id desc limit 1)`;

export const ENDS = statement<OfAccount, Ends>(
  'books_account_ends',
  `select coalesce(${lastBefore('$2')}, 0) as opening_sun, coalesce(${lastBefore('$3')}, 0) as closing_sun`,
);

/** Where a clock was set back at an edge. */
export const EXACT_ENDS = statement<OfAccount, Ends>(
  'books_account_exact_ends',
  `
    select coalesce(sum(amount_sun) filter (where at < $2), 0)::bigint as opening_sun, coalesce(sum(amount_sun), 0)::bigint as closing_sun
    from ledger_entries where user_id = $1 and at < $3`,
);

export const SUMS = statement<OfAccount, { kind: LedgerKind; entries: bigint; sun: string }>(
  'books_account_sums',
  `
    select kind, count(*) as entries, sum(amount_sun)::text as sun
    from ledger_entries where user_id = $1 and at >= $2 and at < $3 group by kind`,
);

export interface StatementLine {
  /** The first of them. */
  readonly at: string;
  readonly kind: LedgerKind;
  /** More than one: charges of a UTC day together. */
  readonly entries: bigint;
  readonly sun: string;
  readonly reference: string | null;
  readonly note: string | null;
}

/** Charges by the UTC day, all else by itself. */
export const LINES = statement<[...OfAccount, limit: number], StatementLine>(
  'books_account_lines',
  `
    select ${utcMicroseconds('min(at)')} as at, kind, count(*) as entries, sum(amount_sun)::text as sun,
           min(reference) as reference, min(note) as note
    from ledger_entries where user_id = $1 and at >= $2 and at < $3
    group by kind, case when kind = 'charge' then date_trunc('day', at at time zone 'UTC') end, case when kind <> 'charge' then id end
    order by min(at), min(id) limit $4`,
);

export interface AccountMovement {
  readonly id: bigint;
  readonly at: string;
  readonly kind: LedgerKind;
  readonly amountSun: bigint;
  readonly balanceSun: bigint;
  readonly delegationId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
}

/** Oldest first; each page begins after the last entry of the one before. */
export const ENTRIES = statement<[...OfAccount, afterAt: string, afterId: bigint, limit: number], AccountMovement>(
  'books_account_entries',
  `
    select id, ${utcMicroseconds('at')} as at, kind, amount_sun as "amountSun", balance_sun as "balanceSun",
           delegation_id as "delegationId", reference, note
    from ledger_entries
    where user_id = $1 and at >= $2 and at < $3 and (at, id) > ($4::text::timestamptz, $5::bigint)
    order by ledger_entries.at, id limit $6`,
);
