import { FIRST_OPERATOR_LOCK } from '../../database/advisory-locks';
import type { Statement } from '../../database/sql';

/** A link is made before the user is disabled, and goes with that, or after it, and then not at all. */
export const HOLD_USER: Statement = {
  name: 'invitation-hold-user',
  text: 'select id from users where id = $1 and disabled_at is null for no key update',
};

/** Older links of the same user, or for the first operator, end with this one. */
export const INVITE: Statement = {
  name: 'invitation-create',
  text: `with older as (delete from invitations where user_id is not distinct from $2 and key <> $1)
         insert into invitations (key, user_id, expires_at) values ($1, $2, now() + $3 * interval '1 hour')
         returning expires_at`,
};

const NO_OPERATOR = 'not exists (select from users where operator)';

/** The first operator's link is void as soon as there is an operator. */
export const FIND: Statement = {
  name: 'invitation-find',
  text: `select i.user_id, u.email, u.name
           from invitations i left join users u on u.id = i.user_id
          where i.key = $1 and i.expires_at > now() and u.disabled_at is null
            and (i.user_id is not null or ${NO_OPERATOR})`,
};

/** Whoever deletes the row has used the link. */
export const USE: Statement = {
  name: 'invitation-use',
  text: `delete from invitations i where i.key = $1 and i.expires_at > now()
            and (i.user_id is not null or ${NO_OPERATOR})
         returning i.user_id`,
};

/** One at a time, so that each sees whether another has become the first operator. */
export const HOLD_FIRST_OPERATOR: Statement = {
  name: 'invitation-hold-first-operator',
  text: `select pg_advisory_xact_lock(${FIRST_OPERATOR_LOCK})`,
};

export const WITHDRAW: Statement = {
  name: 'invitation-withdraw',
  text: 'delete from invitations where user_id = $1 and expires_at > now()',
};

export const HAS_OPERATOR: Statement = {
  name: 'invitation-has-operator',
  text: 'select exists (select from users where operator) as found',
};

export const SWEEP: Statement = { name: 'invitation-sweep', text: 'delete from invitations where expires_at < now()' };
