import { statement } from '../../database/statement';
import { mailboxSql } from '../../users/mailbox';
import { AHEAD, NOT_OF_A_BACKUP } from '../link-times.sql';

interface InvitedRow {
  /** null: the first operator, of whom no other column says anything. */
  readonly userId: string | null;
  readonly email: string;
  readonly name: string;
  readonly hasNewAddress: boolean;
}

const LIVE = `i.expires_at > now() and i.created_at < now() + ${AHEAD}`;

/** Older links of the same user, or for the first operator, end with this one. */
export const INVITE = statement<[key: string, userId: string | null, validHours: number], { expires_at: Date }>(
  'invitation_create',
  `with older as (delete from invitations where user_id is not distinct from $2 and key <> $1)
         insert into invitations (key, user_id, expires_at) values ($1, $2, now() + $3 * interval '1 hour')
         returning expires_at`,
);

/** The link of a mail, beside the one that the operator was given: with the first of the two, both end. */
export const ADD_FOR_MAIL = statement<[key: string, printed: string, address: string]>(
  'invitation_add_for_mail',
  `insert into invitations (key, user_id, expires_at)
   select $1, i.user_id, i.expires_at from invitations i join users u on u.id = i.user_id
    where i.key = $2 and ${LIVE} and u.email = $3`,
);

export const USER_OF = statement<[key: string], { userId: string | null }>(
  'invitation_user_of',
  `select i.user_id as "userId" from invitations i where i.key = $1 and ${LIVE}`,
);

/** Beside an operator's link, which a stranger must not end. Not after the address, or how its user signs in, has changed. */
export const ADD_RESET = statement<
  [key: string, userId: string, address: string, sessionEpoch: number, validHours: number]
>(
  'invitation_add_reset',
  `insert into invitations (key, user_id, expires_at)
   select $1, id, now() + $5 * interval '1 hour' from users
    where id = $2 and email = $3 and session_epoch = $4 and disabled_at is null`,
);

const NO_OPERATOR = 'not exists (select from users where operator)';

/** The first operator's link is void as soon as there is an operator. */
export const FIND = statement<[key: string], InvitedRow>(
  'invitation_find',
  `select i.user_id as "userId", u.email, u.name, u.address_changed_at is not null as "hasNewAddress"
           from invitations i left join users u on u.id = i.user_id
          where i.key = $1 and ${LIVE} and ${NOT_OF_A_BACKUP} and u.disabled_at is null
            and (i.user_id is not null or ${NO_OPERATOR})`,
);

/** By the very address, else by its mailbox, when one account alone has it. */
export const FIND_FOR_RESET = statement<
  [email: string],
  { userId: string; email: string; sessionEpoch: number; language: string | null }
>(
  'invitation_find_for_reset',
  `select id as "userId", email, session_epoch as "sessionEpoch", language
     from (select id, email, session_epoch, language, count(*) over () as accounts from users
            where ${mailboxSql('email')} = ${mailboxSql('$1::text')} and disabled_at is null) u
    where email = $1 or accounts = 1 order by email <> $1 limit 1`,
);

/** Deleting the row is using the link: of two who try, one finds it. */
export const USE = statement<[key: string], { user_id: string | null }>(
  'invitation_use',
  `delete from invitations i where i.key = $1 and ${LIVE} and ${NOT_OF_A_BACKUP}
            and (i.user_id is not null or ${NO_OPERATOR})
         returning i.user_id`,
);

export const WITHDRAW = statement<[userId: string]>(
  'invitation_withdraw',
  `delete from invitations i where i.user_id = $1 and ${LIVE}`,
);

export const WITHDRAW_ALL = statement<[], { withdrawn: number }>(
  'invitation_withdraw_all',
  `with withdrawn as (delete from invitations returning expires_at, created_at)
         select count(*)::integer as withdrawn from withdrawn i where ${LIVE}`,
);

export const SWEEP = statement('invitation_sweep', `delete from invitations i where not (${LIVE})`);
