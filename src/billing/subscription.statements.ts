import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { SUBSCRIPTION_PAYERS } from './billing.entities';
import { blockTime } from './validity.sql';

export interface SubscriptionView {
  readonly id: string;
  readonly quotaEnergy: bigint;
  readonly usedEnergy: bigint;
  readonly heldEnergy: bigint;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly reference: string | null;
  /** What it was sold for; null: given. */
  readonly priceSun: bigint | null;
  readonly paidBy: SubscriptionPayer | null;
}

/** From where its price came: the balance, or a payment outside of it that the reference names. */
export type SubscriptionPayer = (typeof SUBSCRIPTION_PAYERS)[number];

export interface LockedSubscription {
  readonly validUntil: string;
  /** The e-mail address of its user. */
  readonly owner: string;
}

const COLUMNS = `id, quota_energy as "quotaEnergy", used_energy as "usedEnergy", held_energy as "heldEnergy",
  ${utcMicroseconds('valid_from')} as "validFrom", ${utcMicroseconds('valid_until')} as "validUntil", reference,
  price_sun as "priceSun", paid_by as "paidBy"`;

/** $4 in days of 24 hours, whatever the session's time zone makes of a day. */
export const CREATE = statement<
  [
    id: string,
    userId: string,
    quotaEnergy: bigint,
    days: number,
    reference: string | null,
    timeMs: number,
    priceSun: bigint | null,
    paidBy: SubscriptionPayer | null,
  ],
  SubscriptionView
>(
  'subscription_create',
  `
    insert into subscriptions (id, user_id, quota_energy, valid_from, valid_until, reference, price_sun, paid_by)
    values ($1, $2, $3, ${blockTime('$6::bigint')}, ${blockTime('$6::bigint')} + $4::integer * interval '24 hours', $5, $7, $8)
    on conflict (id) do nothing
    returning ${COLUMNS}`,
);

export const FIND_REFERENCE = statement<[userId: string, reference: string], SubscriptionView & { days: number }>(
  'subscription_find_reference',
  `
    select ${COLUMNS}, round(extract(epoch from valid_until - valid_from) / 86400)::integer as days
    from subscriptions where user_id = $1 and reference = $2`,
);

export const FIND_OTHER = statement<[userId: string, reference: string], { email: string }>(
  'subscription_find_other_with_reference',
  `
    select u.email from subscriptions s join users u on u.id = s.user_id
    where s.reference = $2 and s.user_id <> $1 limit 1`,
);

/** The account first, like every statement that locks a subscription (hold.statements.ts). */
export const LOCK = statement<[id: string, ownerId: string | undefined], LockedSubscription>(
  'subscription_lock',
  `
    with payer as (
      select user_id from accounts where user_id = (select user_id from subscriptions where id = $1) for update
    )
    select ${utcMicroseconds('s.valid_until')} as "validUntil", u.email as owner
    from subscriptions s join payer using (user_id) join users u on u.id = s.user_id
    where s.id = $1 and ($2::uuid is null or s.user_id = $2) for no key update of s`,
);

/** Open holds still settle; an earlier end stays. Another instance's final block may be newer: no subscription ends before it began. */
export const END = statement<[id: string, timeMs: number], SubscriptionView>(
  'subscription_end',
  `
    update subscriptions set valid_until = least(valid_until, greatest(valid_from, ${blockTime('$2::bigint')}))
    where id = $1
    returning ${COLUMNS}`,
);

export const LIST = statement<[userId: string, limit: number | null], SubscriptionView>(
  'subscription_list',
  `
    select ${COLUMNS} from subscriptions
    where user_id = $1
    order by created_at desc, id desc
    limit $2::bigint`,
);
