import { statement } from '../../database/statement';
import { mailboxSql } from '../../users/mailbox';
import { addKey, IS_OVER, KEPT, WORKS } from '../link-times.sql';

export const ADD = statement<[id: string, userId: string, email: string]>(
  'email_change_add',
  `with older as (delete from email_changes where user_id = $2 and id <> $1)
   insert into email_changes (id, user_id, email, expires_at) values ($1, $2, $3, now() + ${KEPT})`,
);

/** Another user with this mailbox. */
export const FIND_OTHER = statement<[userId: string, email: string], { email: string; language: string | null }>(
  'email_change_find_other',
  `select email, language from users where ${mailboxSql('email')} = ${mailboxSql('$2::text')} and id <> $1
    order by email <> $2, created_at limit 1`,
);

export const ADD_KEY = statement<[id: string, key: string]>('email_change_add_key', addKey('email_changes'));

export interface EmailChangeRow {
  readonly userId: string;
  /** The new one. */
  readonly email: string;
}

export const FIND = statement<[id: string, key: string], EmailChangeRow>(
  'email_change_find',
  `select c.user_id as "userId", c.email from email_changes c join users u on u.id = c.user_id
    where c.id = $1 and ${WORKS} and u.disabled_at is null`,
);

/** Deleting the row is using the link: of two who try, one finds it. */
export const USE = statement<[id: string, key: string], EmailChangeRow>(
  'email_change_use',
  `delete from email_changes where id = $1 and ${WORKS}
   returning user_id as "userId", email`,
);

export const WITHDRAW_ALL = statement('email_change_withdraw_all', 'delete from email_changes');

export const SWEEP = statement('email_change_sweep', `delete from email_changes where ${IS_OVER}`);
