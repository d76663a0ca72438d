import { OPERATORS_LOCK } from '../database/advisory-locks';
import { statement } from '../database/statement';
import type { Credentials, Identity, UserRecord } from './user-record';

/** Named as `UserRecord` names them. */
const record = (users: string, accounts: string) => `
  ${users}.id, ${users}.email, ${users}.name, ${users}.operator, ${accounts}.unit_price_sun as "unitPriceSun",
  ${users}.rate_limit_per_minute as "rateLimitPerMinute", ${users}.disabled_at as "disabledAt", ${users}.created_at as "createdAt",
  ${accounts}.balance_sun as "balanceSun", ${accounts}.held_sun as "heldSun", ${accounts}.low_balance_sun as "lowBalanceSun"`;

/** What `record` reads of each. */
const USER_COLUMNS = 'id, email, name, operator, rate_limit_per_minute, disabled_at, created_at';
const ACCOUNT_COLUMNS = 'user_id, unit_price_sun, balance_sun, held_sun, low_balance_sun';

/** The user and the account that pays for it. Nothing when the address is taken. */
export const CREATE = statement<
  [
    id: string,
    email: string,
    name: string,
    operator: boolean | undefined,
    rateLimitPerMinute: number | null | undefined,
    unitPriceSun: bigint | null | undefined,
    lowBalanceSun: bigint | null | undefined,
  ],
  UserRecord
>(
  'user_create',
  `
    with u as (
      insert into users (id, email, name, operator, rate_limit_per_minute) values ($1, $2, $3, coalesce($4, false), $5)
      on conflict (email) do nothing
      returning ${USER_COLUMNS}
    ), a as (
      insert into accounts (user_id, unit_price_sun, low_balance_sun) select id, $6, $7 from u returning ${ACCOUNT_COLUMNS}
    )
    select ${record('u', 'a')} from u join a on a.user_id = u.id`,
);

export const LOCK = statement<[email: string]>('user_lock', `select from users where email = $1 for no key update`);

export const READ = statement<[email: string], UserRecord>(
  'user_read',
  `select ${record('u', 'a')} from users u join accounts a on a.user_id = u.id where u.email = $1`,
);

export const READ_BY_ID = statement<[id: string], UserRecord>(
  'user_read_by_id',
  `select ${record('u', 'a')} from users u join accounts a on a.user_id = u.id where u.id = $1`,
);

/** Oldest first. */
export const LIST = statement<[limit: number | null], UserRecord>(
  'user_list',
  `select ${record('u', 'a')} from users u join accounts a on a.user_id = u.id order by u.created_at, u.id limit $1`,
);

/** What may be null is changed only when $5, $7 or $9 says so. */
export const UPDATE = statement<
  [
    email: string,
    name: string | undefined,
    operator: boolean | undefined,
    rateLimitPerMinute: number | null | undefined,
    changesRateLimit: boolean,
    unitPriceSun: bigint | null | undefined,
    changesUnitPrice: boolean,
    lowBalanceSun: bigint | null | undefined,
    changesLowBalance: boolean,
  ],
  UserRecord
>(
  'user_update',
  `
    with u as (
      update users
      set name = coalesce($2, name), operator = coalesce($3, operator),
          rate_limit_per_minute = case when $5 then $4::integer else rate_limit_per_minute end
      where email = $1
      returning ${USER_COLUMNS}
    ), a as (
      update accounts set unit_price_sun = case when $7 then $6::bigint else unit_price_sun end,
                          low_balance_sun = case when $9 then $8::bigint else low_balance_sun end
      from u where user_id = u.id
      returning ${ACCOUNT_COLUMNS}
    )
    select ${record('u', 'a')} from u join a on a.user_id = u.id`,
);

/** An earlier time stays. Raising the epoch ends every session. */
export const SET_DISABLED = statement<[email: string, disabled: boolean], UserRecord>(
  'user_set_disabled',
  `
    update users u
    set disabled_at = case when $2 then coalesce(u.disabled_at, clock_timestamp()) end,
        session_epoch = u.session_epoch + case when $2 then 1 else 0 end
    from accounts a where u.email = $1 and a.user_id = u.id
    returning ${record('u', 'a')}`,
);

const CREDENTIALS = 'id as "userId", email, session_epoch as "sessionEpoch", password_hash as "passwordHash"';

export const FIND_CREDENTIALS = statement<[email: string], Credentials>(
  'password_find',
  `select ${CREDENTIALS} from users where email = $1 and disabled_at is null`,
);
export const FIND_CREDENTIALS_BY_ID = statement<[userId: string], Credentials>(
  'password_find_of',
  `select ${CREDENTIALS} from users where id = $1 and disabled_at is null`,
);
/** With an epoch, only while that is still the user's. */
export const SET_PASSWORD = statement<
  [userId: string, hash: string, sessionEpoch: number | null],
  Identity & { hadPassword: boolean }
>(
  'password_set',
  `with old as (select id, password_hash is not null as had from users where id = $1)
   update users u set password_hash = $2, session_epoch = session_epoch + 1, address_changed_at = null from old
          where u.id = old.id and session_epoch = coalesce($3, session_epoch) and disabled_at is null
         returning u.id as "userId", email, session_epoch as "sessionEpoch", old.had as "hadPassword"`,
);

export const SET_EMAIL = statement<[userId: string, email: string], UserRecord & { language: string | null }>(
  'user_set_email',
  `update users u set email = $2, address_changed_at = case when u.email = $2 then u.address_changed_at else clock_timestamp() end from accounts a where u.id = $1 and a.user_id = u.id
   returning ${record('u', 'a')}, u.language`,
);

/** Against a race with disabling: an invitation made before it is deleted by it, and none is made after it. */
export const HOLD_ENABLED = statement<[userId: string], { id: string }>(
  'invitation_hold_user',
  'select id from users where id = $1 and disabled_at is null for no key update',
);

/** One at a time, so that each sees whom the others have made an operator, or no longer one. */
export const HOLD_OPERATORS = statement('operators_hold', `select pg_advisory_xact_lock(${OPERATORS_LOCK})`);

export const HAS_OTHER_OPERATOR = statement<[userId: string], { found: boolean }>(
  'operators_has_other',
  'select exists (select from users where operator and disabled_at is null and id <> $1) as found',
);

export const HAS_OPERATOR = statement<[], { found: boolean }>(
  'invitation_has_operator',
  'select exists (select from users where operator) as found',
);
