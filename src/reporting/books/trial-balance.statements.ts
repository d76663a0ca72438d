import type { LedgerKind } from '../../balance/balance.entities';
import { statement } from '../../database/statement';

/* Sums are numeric, as text: all accounts together may hold more than one can. */

type Range = [from: Date, to: Date];

export interface Balances {
  readonly accounts: bigint;
  readonly opening_sun: string;
  readonly closing_sun: string;
  readonly balances_sun: string;
  readonly held_sun: string;
  /** The range reaches beyond this moment, and nothing is booked after it, as a clock that was ahead would have it. */
  readonly is_open: boolean;
}

/** An account's balance at an edge is that of its last entry before it, which one index shows. */
const lastBefore = (edge: string): string => `
      select e.user_id, e.balance_sun from ledger_entries e
      where (e.user_id, e.at) < (a.user_id, ${edge}::timestamptz)
      order by e.user_id desc, e.at desc, e.id desc limit 1`;

export const BALANCES = statement<Range, Balances>(
  'books_balances',
  `
    select count(*) as accounts, coalesce(sum(a.balance_sun), 0)::text as balances_sun, coalesce(sum(a.held_sun), 0)::text as held_sun,
           coalesce(sum(opening.balance_sun), 0)::text as opening_sun, coalesce(sum(closing.balance_sun), 0)::text as closing_sun,
           $2::timestamptz > now() and coalesce((select at from ledger_entries order by at desc, id desc limit 1) < $2, true) as is_open
    from accounts a
    left join lateral (${lastBefore('$1')}
    ) opening on opening.user_id = a.user_id
    left join lateral (${lastBefore('$2')}
    ) closing on closing.user_id = a.user_id`,
);

/** By the entries themselves, all of them: where a clock was set back at an edge, the last entry before it is not the last that was booked. */
export const EXACT_BALANCES = statement<Range, Pick<Balances, 'opening_sun' | 'closing_sun'>>(
  'books_exact_balances',
  `
    select coalesce(sum(amount_sun) filter (where at < $1), 0)::text as opening_sun, coalesce(sum(amount_sun), 0)::text as closing_sun
    from ledger_entries where at < $2`,
);

export const MOVEMENTS = statement<Range, { kind: LedgerKind; sun: string }>(
  'books_movements',
  'select kind, sum(amount_sun)::text as sun from ledger_entries where at >= $1 and at < $2 group by kind',
);

/** What was promised to orders at the end of a range that is over. A hold counts as it is now: some are lowered before they are settled. */
export const HOLDS = statement<[at: Date], { sun: string }>(
  'books_holds',
  `
    select coalesce(sum(sun), 0)::text as sun from (
      select amount_sun as sun from holds where state = 'held' and created_at < $1
      union all
      select amount_sun from holds where settled_at >= $1 and created_at < $1
    ) open`,
);

export interface QuotaSums {
  readonly sold_energy: string;
  readonly given_energy: string;
  readonly price_sun: string;
  readonly from_balance_sun: string;
  readonly used_energy: string;
  readonly expired_energy: string;
}

/**
 * Each unit of a quota is used when its order is settled, or expires: when the subscription ends, or, if an order was promised it then,
 * when that order lets it go.
 */
export const QUOTA = statement<Range, QuotaSums>(
  'books_quota',
  `
    with added as (
      select sum(quota_energy) filter (where price_sun is not null) as sold_energy,
             sum(quota_energy) filter (where price_sun is null) as given_energy,
             sum(price_sun) as price_sun, sum(price_sun) filter (where paid_by = 'balance') as from_balance_sun
      from subscriptions where created_at >= $1 and created_at < $2
    ), settled as (
      select h.state, h.quota_energy, h.subscription_id, h.settled_at from holds h
      where h.settled_at >= $1 and h.settled_at < $2 and h.subscription_id is not null
    ), used as (
      select sum(quota_energy) as energy from settled where state = 'taken'
    ), ended as (
      select sum(s.quota_energy - coalesce(promised.energy, 0)) as energy
      from subscriptions s
      left join lateral (
        select sum(h.quota_energy) as energy from holds h
        where h.subscription_id = s.id and (h.state <> 'released' or h.settled_at >= s.valid_until)
      ) promised on true
      where s.valid_until >= $1 and s.valid_until < least($2::timestamptz, now())
    ), let_go as (
      select sum(h.quota_energy) as energy from settled h join subscriptions s on s.id = h.subscription_id
      where h.state = 'released' and h.settled_at >= s.valid_until
    )
    select coalesce(sold_energy, 0)::text as sold_energy, coalesce(given_energy, 0)::text as given_energy,
           coalesce(price_sun, 0)::text as price_sun, coalesce(from_balance_sun, 0)::text as from_balance_sun,
           coalesce(used.energy, 0)::text as used_energy,
           (coalesce(ended.energy, 0) + coalesce(let_go.energy, 0))::text as expired_energy
    from added, used, ended, let_go`,
);
