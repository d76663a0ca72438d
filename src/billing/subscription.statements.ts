import type { Statement } from '../database/sql';
import { utcMicroseconds } from '../database/utc-timestamp';

const COLUMNS = `id, quota_energy, used_energy, held_energy,
  ${utcMicroseconds('valid_from')} as valid_from, ${utcMicroseconds('valid_until')} as valid_until`;

/** Nothing when there is one with this id. $4 in days of 24 hours, whatever the session's time zone makes of a day. */
export const CREATE_SUBSCRIPTION: Statement = {
  name: 'subscription_create',
  text: `
    insert into subscriptions (id, user_id, quota_energy, valid_until)
    values ($1, $2, $3, now() + $4::integer * interval '24 hours')
    on conflict (id) do nothing
    returning ${COLUMNS}`,
};

/** Of whoever it is, or of $2 alone. The account first, like whatever locks a subscription (hold.statements.ts). */
export const LOCK_SUBSCRIPTION: Statement = {
  name: 'subscription_lock',
  text: `
    with payer as (
      select user_id from accounts where user_id = (select user_id from subscriptions where id = $1) for update
    )
    select ${utcMicroseconds('s.valid_until')} as "validUntil", u.email as owner
    from subscriptions s join payer using (user_id) join users u on u.id = s.user_id
    where s.id = $1 and ($2::uuid is null or s.user_id = $2) for no key update of s`,
};

/** What is held still settles; an earlier end stays. */
export const END_SUBSCRIPTION: Statement = {
  name: 'subscription_end',
  text: `
    update subscriptions set valid_until = least(valid_until, clock_timestamp())
    where id = $1
    returning ${COLUMNS}`,
};

export const LIST_SUBSCRIPTIONS: Statement = {
  name: 'subscription_list',
  text: `
    select ${COLUMNS} from subscriptions
    where user_id = $1
    order by created_at desc, id desc
    limit $2::bigint`,
};
