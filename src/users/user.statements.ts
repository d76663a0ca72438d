import type { Statement } from '../database/sql';

/** Named as `UserRecord` names them. */
const record = (users: string, accounts: string) => `
  ${users}.id, ${users}.email, ${users}.name, ${users}.operator, ${accounts}.unit_price_sun as "unitPriceSun",
  ${users}.rate_limit_per_minute as "rateLimitPerMinute", ${users}.disabled_at as "disabledAt", ${users}.created_at as "createdAt",
  ${accounts}.balance_sun as "balanceSun", ${accounts}.held_sun as "heldSun"`;

/** The user and the account that pays for it. Nothing when the address is taken. */
export const CREATE_USER: Statement = {
  name: 'user_create',
  text: `
    with u as (
      insert into users (id, email, name, operator, rate_limit_per_minute) values ($1, $2, $3, coalesce($4, false), $5)
      on conflict (email) do nothing
      returning *
    ), a as (
      insert into accounts (user_id, unit_price_sun) select id, $6 from u returning *
    )
    select ${record('u', 'a')} from u join a on a.user_id = u.id`,
};

/** Until the transaction ends, nobody else changes what was read here; orders of the user go on. */
export const LOCK_USER: Statement = {
  name: 'user_lock',
  text: `select ${record('u', 'a')} from users u join accounts a on a.user_id = u.id where u.email = $1 for no key update of u`,
};

/** Of what may be null, $5 and $7 say whether it changes at all. */
export const UPDATE_USER: Statement = {
  name: 'user_update',
  text: `
    with u as (
      update users
      set name = coalesce($2, name), operator = coalesce($3, operator),
          rate_limit_per_minute = case when $5 then $4::integer else rate_limit_per_minute end
      where email = $1
      returning *
    ), a as (
      update accounts set unit_price_sun = case when $7 then $6::bigint else unit_price_sun end
      from u where user_id = u.id
      returning accounts.*
    )
    select ${record('u', 'a')} from u join a on a.user_id = u.id`,
};

/** An earlier time stays. Sessions are not disabled but ended. */
export const SET_DISABLED: Statement = {
  name: 'user_set_disabled',
  text: `
    update users u
    set disabled_at = case when $2 then coalesce(u.disabled_at, clock_timestamp()) end,
        session_epoch = u.session_epoch + case when $2 then 1 else 0 end
    from accounts a where u.email = $1 and a.user_id = u.id
    returning ${record('u', 'a')}`,
};
